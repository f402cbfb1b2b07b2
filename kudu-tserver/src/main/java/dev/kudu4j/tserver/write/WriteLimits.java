package dev.kudu4j.tserver.write;

import dev.kudu4j.common.status.KuduException;

/**
 * What one write may ask for. A client that packs each cell by itself never meets the second bound,
 * since its messages are bounded already; one that lets cells share bytes does.
 *
 * @param mostRows so that an answer in which each row failed still fits into a message
 * @param mostBytes of the rows with all their cells
 */
record WriteLimits(int mostRows, long mostBytes) {
  /** An error takes about 33 bytes in an answer, and an answer may have 50 MB. */
  private static final int MOST_ROWS = 1 << 20;

  /**
   * @param mostMessageBytes of a request
   */
  static WriteLimits of(long mostMessageBytes) {
    return new WriteLimits(MOST_ROWS, mostMessageBytes);
  }

  void checkExpanded(long bytes) {
    if (bytes > mostBytes) {
      throw KuduException.invalidArgument(
          "The rows of the write stand for %d bytes, more than the %d that a message may have;"
              + " send fewer rows at a time",
          bytes, mostBytes);
    }
  }

  KuduException tooManyRows() {
    return KuduException.invalidArgument(
        "The write has more than %d rows; send fewer rows at a time", mostRows);
  }
}
