package dev.kudu4j.tserver.write;

import dev.kudu4j.common.status.KuduException;

/**
 * Limits on one write. {@code mostBytes} matters only for a client whose cells share bytes: if each
 * cell has its own bytes, the message itself would be too large.
 *
 * @param mostRows the maximum rows, chosen so that an answer in which every row failed fits into a
 *     message
 * @param mostBytes the maximum size of the rows with all their cells
 */
record WriteLimits(int mostRows, long mostBytes) {
  /** An error takes about 33 bytes in an answer, which is limited to 50 MB. */
  private static final int MOST_ROWS = 1 << 20;

  /**
   * @param mostMessageBytes the maximum size of a request
   */
  static WriteLimits of(long mostMessageBytes) {
    return new WriteLimits(MOST_ROWS, mostMessageBytes);
  }

  void checkExpanded(long bytes) {
    if (bytes > mostBytes) {
      throw KuduException.invalidArgument(
          "The decoded rows of the write have %d bytes, more than the %d allowed for a message;"
              + " send fewer rows at a time",
          bytes, mostBytes);
    }
  }

  KuduException tooManyRows() {
    return KuduException.invalidArgument(
        "The write has more than %d rows; send fewer rows at a time", mostRows);
  }
}
