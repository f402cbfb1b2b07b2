package dev.kudu4j.common.row;

/**
 * The cells of one row, wherever they lie: what key encoding needs of a row.
 *
 * <p>A column means its index in the row's layout. A cell's accessors may be called only when
 * {@link #hasCell} says that there is one.
 */
public interface RowCells {
  /** Whether the column is set and not NULL. */
  boolean hasCell(int column);

  /** The array that holds the cell, in cell form, at {@link #cellOffset}. Not to be written to. */
  byte[] cellArray(int column);

  int cellOffset(int column);

  int cellLength(int column);
}
