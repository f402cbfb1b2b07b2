package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.row.RowCells;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.memrowset.CellSource;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a row to insert. Each cell is the request's cell if it is set, else the column's
 * write default, else NULL; in a column that is not nullable, its read default, which occurs only
 * if the column was added after a transaction staged the row. The cell of the auto-incrementing
 * column is the number that was assigned when the request was applied. Reusable.
 */
final class InsertCells implements CellSource, RowCells {
  private final byte[] number = new byte[Long.BYTES];

  // Set when a request begins, so not null while the cells of its rows are read.
  @SuppressWarnings("NullAway.Init")
  private RequestColumns columns;

  @SuppressWarnings("NullAway.Init")
  private Schema schema;

  @SuppressWarnings("NullAway.Init")
  private RowOperationsReader reader;

  private boolean numbered;

  /** Starts a request whose rows {@code rows} reads. */
  void begin(RequestColumns requestColumns, RowOperationsReader rows) {
    columns = requestColumns;
    schema = requestColumns.schema();
    reader = rows;
    numbered = false;
  }

  /** Sets the auto-incrementing number of the current row. */
  void setAutoIncrement(long given) {
    LittleEndian.putLong(number, 0, given);
    numbered = true;
  }

  /** Assigns no number: the request must contain the number of the current row. */
  void clearAutoIncrement() {
    numbered = false;
  }

  byte[] number() {
    return number;
  }

  private boolean isNumber(int column) {
    return numbered && column == columns.autoIncrementing();
  }

  private boolean isSet(int column) {
    int from = columns.requestIndex(column);
    return from >= 0 && reader.isSet(from);
  }

  @Override
  public boolean isNull(int column) {
    if (isNumber(column)) {
      return false;
    }
    return isSet(column) ? reader.isNull(columns.requestIndex(column)) : defaultOf(column) == null;
  }

  private byte @Nullable [] defaultOf(int column) {
    ColumnSchema unset = schema.column(column);
    return unset.writeDefault() != null || unset.isNullable()
        ? unset.writeDefault()
        : unset.readDefault();
  }

  @Override
  public boolean hasCell(int column) {
    return !isNull(column);
  }

  @Override
  public byte[] cellArray(int column) {
    if (isNumber(column)) {
      return number;
    }
    return isSet(column) ? reader.cellArray(columns.requestIndex(column)) : presentDefault(column);
  }

  private byte[] presentDefault(int column) {
    byte[] cell = defaultOf(column);
    assert cell != null : "the cell is not NULL";
    return cell;
  }

  @Override
  public int cellOffset(int column) {
    return !isNumber(column) && isSet(column) ? reader.cellOffset(columns.requestIndex(column)) : 0;
  }

  @Override
  public int cellLength(int column) {
    if (isNumber(column)) {
      return number.length;
    }
    return isSet(column)
        ? reader.cellLength(columns.requestIndex(column))
        : presentDefault(column).length;
  }
}
