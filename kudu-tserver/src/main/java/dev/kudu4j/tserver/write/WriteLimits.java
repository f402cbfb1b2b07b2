package dev.kudu4j.tserver.write;

import dev.kudu4j.common.status.KuduException;

/**
 * Limits on one write. {@code maxBytes} matters only for a client whose cells share bytes: if each
 * cell has its own bytes, the message itself would be too large.
 *
 * @param maxRows the maximum rows, chosen so that a response in which every row failed fits into a
 *     message
 * @param maxBytes the maximum size of the rows with all their cells
 */
record WriteLimits(int maxRows, long maxBytes) {
  /** An error takes about 33 bytes in a response, which is limited to 50 MB. */
  private static final int MAX_ROWS = 1 << 20;

  /**
   * @param maxMessageBytes the maximum size of a request
   */
  static WriteLimits of(long maxMessageBytes) {
    return new WriteLimits(MAX_ROWS, maxMessageBytes);
  }

  void checkExpanded(long bytes) {
    if (bytes > maxBytes) {
      throw KuduException.invalidArgument(
          "The decoded rows of the write have %d bytes, more than the %d allowed for a message;"
              + " send fewer rows at a time",
          bytes, maxBytes);
    }
  }

  KuduException tooManyRows() {
    return KuduException.invalidArgument(
        "The write has more than %d rows; send fewer rows at a time", maxRows);
  }
}
