package dev.kudu4j.tablet.cfile;

import dev.kudu4j.tablet.batch.ColumnVector;

/** Reads the values of a page, one page after the other. Not thread-safe. */
abstract class PageDecoder implements AutoCloseable {
  /**
   * Begins with a page.
   *
   * @param address the encoded values, verified by checksum; borrowed until the next call
   * @return null, or what is wrong with the values
   */
  abstract String open(long address, int bytes, int rows);

  /**
   * Begins with a page that {@link #open} has found sound before, perhaps another decoder's: what
   * takes time in proportion to the rows need not be looked at again.
   */
  String reopen(long address, int bytes, int rows) {
    return open(address, bytes, rows);
  }

  /**
   * Appends the values of {@code [first, first + count)} as present cells.
   *
   * @return null, or what is wrong with one of these values; only what {@link #open} cannot tell
   *     without looking at every row is left to this
   */
  abstract String read(int first, int count, ColumnVector out);

  @Override
  public void close() {}
}
