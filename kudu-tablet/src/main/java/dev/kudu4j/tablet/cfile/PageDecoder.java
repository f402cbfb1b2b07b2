package dev.kudu4j.tablet.cfile;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;

/** Reads the values of a page, one page after the other. Not thread-safe. */
abstract class PageDecoder implements AutoCloseable {
  private boolean knownSound;
  private long least = Long.MIN_VALUE;
  private long most = Long.MAX_VALUE;

  /**
   * Says of the page that is opened next whether some decoder has found it sound before: then what
   * takes time in proportion to the rows need not be looked at again.
   */
  final void setKnownSound(boolean known) {
    knownSound = known;
  }

  /** Whether {@link #open} may leave out what takes time in proportion to the rows. */
  final boolean isKnownSound() {
    return knownSound;
  }

  /** Says between which integers the cells of the page lie that is opened next. */
  final void setBounds(long smallest, long largest) {
    least = smallest;
    most = largest;
  }

  /** At or below every cell of the open page, of 8-byte integers. */
  final long least() {
    return least;
  }

  /** At or above every such cell. */
  final long most() {
    return most;
  }

  /**
   * Begins with a page.
   *
   * @param address the encoded values, verified by checksum; borrowed until the next call
   * @return null, or what is wrong with the values
   */
  abstract String open(long address, int bytes, int rows);

  /** What there is to say of the open page beside its encoding, for dumps; empty for nothing. */
  String details() {
    return "";
  }

  /**
   * Appends the values of {@code [first, first + count)} as present cells.
   *
   * @return null, or what is wrong with one of these values; only what {@link #open} cannot tell
   *     without looking at every row is left to this
   */
  abstract String read(int first, int count, ColumnVector out);

  /**
   * Clears, of the rows {@code [first, first + count)}, the bits of those whose cells do not match,
   * without decoding them.
   *
   * @param wanted bit i is the row {@code first + i}; no bit is set behind the last row
   * @param scratch an empty vector of the column's type, for short use
   * @return false when the page cannot tell; then nothing has changed
   */
  boolean filter(int first, int count, CellFilter test, long[] wanted, ColumnVector scratch) {
    return false;
  }

  /**
   * Appends the values of {@code [first, first + count)} as numbers.
   *
   * @return false when the page has no faster way than decoding; then nothing has changed
   */
  boolean readNumbers(int first, int count, NumberVector out) {
    return false;
  }

  /** As {@link #readNumbers}, of the rows {@code base + rows[i]}, i in {@code [from, to)}. */
  boolean pickNumbers(int base, int[] rows, int from, int to, NumberVector out) {
    return false;
  }

  /**
   * Adds up the cells of {@code [first, first + count)} that match, without handing them out.
   *
   * @param test null when all match
   * @param scratch an empty vector of the column's type, for short use
   * @return false when the page has no faster way than decoding; then nothing has been added
   */
  boolean sum(int first, int count, CellFilter test, CellSum sum, ColumnVector scratch) {
    return false;
  }

  /**
   * Puts the dictionary's codes of {@code [first, first + count)} to {@code out[at..]}; only when
   * there is a dictionary.
   */
  void readCodes(int first, int count, int[] out, int at) {
    throw new IllegalStateException("The page has no dictionary");
  }

  /** Codes are below that; 0 when the page has no dictionary. */
  int codeCount() {
    return 0;
  }

  /** Appends the cells of all codes, in ascending order. */
  void readEntries(ColumnVector out) {
    throw new IllegalStateException("The page has no dictionary");
  }

  @Override
  public void close() {}
}
