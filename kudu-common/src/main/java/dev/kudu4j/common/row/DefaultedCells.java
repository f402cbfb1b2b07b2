package dev.kudu4j.common.row;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a row to insert, by column index in the table's schema: the value in the row or, if
 * the column is unset, its write default. An auto-incrementing number that is not assigned yet
 * counts as the smallest number. The cells are those of the current row of a {@link
 * RowOperationsReader}; the caller moves the reader to the next row.
 */
public final class DefaultedCells implements RowCells {
  private static final byte[] MIN_NUMBER = minNumber();

  private final Schema table;
  private final int[] rowIndexes;
  private final RowOperationsReader row;

  /**
   * @param rowIndexes the index of each column of the table in the row's layout, or -1 if the
   *     layout lacks the column
   * @param row the reader whose current row has the cells; borrowed
   */
  public DefaultedCells(Schema table, int[] rowIndexes, RowOperationsReader row) {
    this.table = table;
    this.rowIndexes = rowIndexes;
    this.row = row;
  }

  private static byte[] minNumber() {
    byte[] cell = new byte[Long.BYTES];
    LittleEndian.putLong(cell, 0, Long.MIN_VALUE);
    return cell;
  }

  /** The cell of an unset column; null if the column has no default. */
  private byte @Nullable [] unset(int column) {
    ColumnSchema schema = table.column(column);
    return schema.isAutoIncrementing() ? MIN_NUMBER : schema.writeDefault();
  }

  /** The cell of an unset column. Callers have checked with {@link #hasCell} that it exists. */
  private byte[] filled(int column) {
    byte[] cell = unset(column);
    assert cell != null : "column " + column + " has no cell";
    return cell;
  }

  private boolean isSet(int column) {
    return rowIndexes[column] >= 0 && row.isSet(rowIndexes[column]);
  }

  @Override
  public boolean hasCell(int column) {
    return isSet(column) ? row.hasCell(rowIndexes[column]) : unset(column) != null;
  }

  @Override
  public byte[] cellArray(int column) {
    return isSet(column) ? row.cellArray(rowIndexes[column]) : filled(column);
  }

  @Override
  public int cellOffset(int column) {
    return isSet(column) ? row.cellOffset(rowIndexes[column]) : 0;
  }

  @Override
  public int cellLength(int column) {
    return isSet(column) ? row.cellLength(rowIndexes[column]) : filled(column).length;
  }
}
