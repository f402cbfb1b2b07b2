package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.scan.predicate.SelectionBitmap;
import java.io.IOException;

/**
 * The rows of a block that a scan keeps, for those who compute with them instead of copying them.
 * Belongs to the source; valid during a visit. Columns have the numbers of {@link ScanColumns}.
 */
public interface SelectedRows {
  /** Which rows of the block are kept. */
  SelectionBitmap selection();

  /**
   * Fills the vector with the cells of the rows {@code [from, from + count)}; those of rows that
   * are not kept mean nothing.
   */
  void readNumbers(int column, int from, int count, NumberVector out) throws IOException;

  /** Fills the vector with the cells of the rows {@code from + rows[i]}, which rise. */
  void pickNumbers(int column, int from, int[] rows, int count, NumberVector out)
      throws IOException;

  /**
   * The dictionary's codes of the rows {@code [from, from + count)}.
   *
   * @param dictionary told what the codes mean
   * @return false when the rows have no dictionary in common
   */
  boolean readCodes(int column, int from, int count, Dictionary dictionary, int[] codes)
      throws IOException;

  /** The cells of all rows that are kept, changes applied, from the row {@link #firstRow} on. */
  ColumnVector cells(int column) throws IOException;

  int firstRow(int column);

  /** Remembers what the codes of one page mean. */
  interface Dictionary {
    /** Whether it is of that page. */
    boolean isOf(Object column, int page);

    /**
     * Codes have a new meaning.
     *
     * @param entries borrowed, in the order of codes
     */
    void load(Object column, int page, ColumnVector entries);
  }
}
