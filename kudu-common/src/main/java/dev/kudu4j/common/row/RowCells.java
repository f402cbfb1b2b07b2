package dev.kudu4j.common.row;

/**
 * The cells of one row, as key encoding reads them.
 *
 * <p>Columns are identified by their index in the row's layout. The accessors of a cell may be
 * called only if {@link #hasCell} is true.
 */
public interface RowCells {
  /** Whether the column is set and not NULL. */
  boolean hasCell(int column);

  /**
   * The array that contains the cell, in cell form, at {@link #cellOffset}. Callers must not modify
   * it.
   */
  byte[] cellArray(int column);

  int cellOffset(int column);

  int cellLength(int column);
}
