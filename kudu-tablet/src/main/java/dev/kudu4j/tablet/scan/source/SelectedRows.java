package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.scan.predicate.SelectionBitmap;
import java.io.IOException;

/**
 * The selected rows of a block, for visitors that compute with them instead of copying them.
 * Belongs to the source; valid during a visit. Columns have the numbers of {@link ScanColumns}.
 */
public interface SelectedRows {
  /** The selected rows of the block. */
  SelectionBitmap selection();

  /**
   * Fills the vector with the cells of the rows {@code [from, from + count)}; undefined for rows
   * that are not selected.
   */
  void readNumbers(int column, int from, int count, NumberVector out) throws IOException;

  /** Fills the vector with the cells of the rows {@code from + rows[i]}, in ascending order. */
  void pickNumbers(int column, int from, int[] rows, int count, NumberVector out)
      throws IOException;

  /**
   * Reads the dictionary codes of the rows {@code [from, from + count)}.
   *
   * @param dictionary receives the meaning of the codes
   * @return false if the rows do not share a dictionary
   */
  boolean readCodes(int column, int from, int count, Dictionary dictionary, int[] codes)
      throws IOException;

  /** The cells of all selected rows, with changes applied, starting at row {@link #firstRow}. */
  ColumnVector cells(int column) throws IOException;

  int firstRow(int column);

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
