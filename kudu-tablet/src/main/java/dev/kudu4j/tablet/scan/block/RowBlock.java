package dev.kudu4j.tablet.scan.block;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.cfile.CellFilter;
import java.io.IOException;

/**
 * Some consecutive rows of one source, for predicates and aggregations, which compute with the rows
 * where they are. Belongs to the source; valid until its next block. Columns have the numbers of
 * the scan that opened the source.
 */
public interface RowBlock {
  /** The rows of the block that are visible, and that no predicate has dropped so far. */
  SelectionBitmap selection();

  /**
   * Drops the rows of pages whose statistics exclude a match. Keeps rows whose cells have changed
   * since the page was written.
   *
   * @param rows a part of {@link #selection}
   * @return whether all remaining rows are certain to match, so no cell needs to be read
   */
  boolean prune(int column, PageFilter pageFilter, SelectionBitmap rows) throws IOException;

  /**
   * Drops the rows whose cells do not match, as far as the encoded pages can evaluate the filter.
   *
   * @param rows a part of {@link #selection}
   * @return whether the filter was evaluated for all rows, so no cell needs to be read
   */
  default boolean filter(int column, CellFilter cellFilter, SelectionBitmap rows)
      throws IOException {
    return false;
  }

  /**
   * The cells of a column, with changes applied, from row {@link #firstRow} on, for at least the
   * rows of {@link #selection}. Belongs to the block.
   */
  ColumnVector cells(int column) throws IOException;

  /** The row of the block that corresponds to row 0 of {@link #cells}; a multiple of 64. */
  int firstRow(int column);

  /**
   * Appends the cells of the rows of {@link #selection} to a vector.
   *
   * @param selected the number of these rows, above 0
   */
  void appendSelected(int column, int selected, ColumnVector out) throws IOException;

  /**
   * Fills the vector with the cells of the rows {@code [from, from + count)}; undefined for rows
   * that are not selected.
   */
  default void readNumbers(int column, int from, int count, NumberVector out) throws IOException {
    ColumnVector cells = cells(column);
    out.clear(NumberVector.kindOf(cells.type()));
    int first = firstRow(column);
    int start = Math.max(from, first);
    int end = Math.min(from + count, first + cells.rowCount());
    if (start >= end) {
      out.appendZeros(count);
      return;
    }
    out.appendZeros(start - from);
    out.append(cells, start - first, end - start);
    out.appendZeros(from + count - end);
  }

  /** Fills the vector with the cells of the rows {@code from + rows[i]}, in ascending order. */
  default void pickNumbers(int column, int from, int[] rows, int count, NumberVector out)
      throws IOException {
    ColumnVector cells = cells(column);
    out.clear(NumberVector.kindOf(cells.type()));
    for (int i = 0; i < count; i++) {
      out.append(cells, from + rows[i] - firstRow(column), 1);
    }
  }

  /**
   * Reads the dictionary codes of the rows {@code [from, from + count)}.
   *
   * @param dictionary receives the meaning of the codes
   * @return false if the rows do not share a dictionary
   */
  default boolean readCodes(int column, int from, int count, Dictionary dictionary, int[] codes)
      throws IOException {
    return false;
  }

  /** Holds the meaning of one page's codes. */
  interface Dictionary {
    /** Whether the dictionary of the page is loaded. */
    boolean isOf(Object column, int page);

    /**
     * Loads the entries of a page.
     *
     * @param entries borrowed, in code order
     */
    void load(Object column, int page, ColumnVector entries);
  }
}
