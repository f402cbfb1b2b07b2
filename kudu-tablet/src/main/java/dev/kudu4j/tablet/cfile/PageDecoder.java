package dev.kudu4j.tablet.cfile;

import dev.kudu4j.tablet.batch.ColumnVector;

/** Reads the values of a page, one page after the other. Not thread-safe. */
abstract class PageDecoder implements AutoCloseable {
  private boolean knownSound;

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

  /**
   * Begins with a page.
   *
   * @param address the encoded values, verified by checksum; borrowed until the next call
   * @return null, or what is wrong with the values
   */
  abstract String open(long address, int bytes, int rows);

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
