package dev.kudu4j.tablet.cfile;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import org.jspecify.annotations.Nullable;

/** Decodes the values of one page at a time. Not thread-safe. */
abstract class PageDecoder implements AutoCloseable {
  private boolean knownSound;
  private long min = Long.MIN_VALUE;
  private long max = Long.MAX_VALUE;

  /**
   * Sets whether a decoder has already validated the page that is opened next. If so, {@link #open}
   * skips the checks that take time in proportion to the rows.
   */
  final void setKnownSound(boolean known) {
    knownSound = known;
  }

  /** Whether {@link #open} may skip the checks that take time in proportion to the rows. */
  final boolean isKnownSound() {
    return knownSound;
  }

  /** Sets the bounds of the integers in the page that is opened next. */
  final void setBounds(long smallest, long largest) {
    min = smallest;
    max = largest;
  }

  /** A lower bound of the open page's cells, for integers of 8 bytes. */
  final long min() {
    return min;
  }

  /** An upper bound of the open page's cells, for integers of 8 bytes. */
  final long max() {
    return max;
  }

  /**
   * Opens a page.
   *
   * @param address the encoded values, verified by checksum; must stay valid until the next call of
   *     this method
   * @return null, or a description of the corruption
   */
  abstract @Nullable String open(long address, int bytes, int rows);

  /** Further details of the open page, for dumps; may be empty. */
  String details() {
    return "";
  }

  /**
   * Appends the values {@code [first, first + count)} as present cells.
   *
   * @return null, or a description of the corruption; this reports only what {@link #open} cannot
   *     detect without visiting every row
   */
  abstract @Nullable String read(int first, int count, ColumnVector out);

  /**
   * Clears the bits of those rows in {@code [first, first + count)} whose cells do not match,
   * without decoding them.
   *
   * @param wanted bit i is row {@code first + i}; bits beyond the last row are clear
   * @param scratch an empty vector of the column's type, for use within the call
   * @return false if the encoding cannot evaluate the filter; nothing has changed then
   */
  boolean filter(int first, int count, CellFilter cellFilter, long[] wanted, ColumnVector scratch) {
    return false;
  }

  /**
   * Appends the values {@code [first, first + count)} as numbers.
   *
   * @return false if the encoding has no faster way than decoding; nothing has changed then
   */
  boolean readNumbers(int first, int count, NumberVector out) {
    return false;
  }

  /** Like {@link #readNumbers}, for the rows {@code base + rows[i]}, i in {@code [from, to)}. */
  boolean pickNumbers(int base, int[] rows, int from, int to, NumberVector out) {
    return false;
  }

  /**
   * Adds the matching cells of {@code [first, first + count)} to the sum without materializing
   * them.
   *
   * @param cellFilter null matches all cells
   * @param scratch an empty vector of the column's type, for use within the call
   * @return false if the encoding has no faster way than decoding; nothing has been added then
   */
  boolean sum(
      int first, int count, @Nullable CellFilter cellFilter, CellSum sum, ColumnVector scratch) {
    return false;
  }

  /**
   * Writes the dictionary codes of {@code [first, first + count)} to {@code out[at..]}. The page
   * must have a dictionary.
   */
  void readCodes(int first, int count, int[] out, int at) {
    throw new IllegalStateException("The page has no dictionary");
  }

  /** The exclusive upper bound of dictionary codes; 0 if the page has no dictionary. */
  int codeCount() {
    return 0;
  }

  /** Appends the cells of all codes in ascending order. */
  void readEntries(ColumnVector out) {
    throw new IllegalStateException("The page has no dictionary");
  }

  @Override
  public void close() {}
}
