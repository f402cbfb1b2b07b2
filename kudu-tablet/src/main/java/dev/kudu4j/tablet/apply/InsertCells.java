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
 * write default, else NULL. A row that a transaction has staged has the defaults of that time, and
 * the read defaults of columns that were added later, as rows that were written before. The cell of
 * the auto-incrementing column is the number that was assigned when the request was applied.
 * Reusable.
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

  private @Nullable Schema stagedSchema; // null unless the rows were staged
  private boolean numbered;

  /**
   * Starts a request whose rows {@code rows} reads.
   *
   * @param staged the schema with which a transaction has staged the rows; null for other rows
   */
  void begin(RequestColumns requestColumns, RowOperationsReader rows, @Nullable Schema staged) {
    stagedSchema = staged;
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
    if (stagedSchema == null) {
      return unset.writeDefault();
    }
    int before = stagedSchema.indexOfId(unset.id());
    return before < 0 ? unset.readDefault() : stagedSchema.column(before).writeDefault();
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
