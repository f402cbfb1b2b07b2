package dev.kudu4j.server.replica;

import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.tablet.log.RequestId;

/**
 * A client's rows on their way into the log, as they came from the wire. The arrays are borrowed
 * until the answer: the caller must not change them before.
 *
 * @param id who asks, or null when the caller wants no exactly-once answer
 * @param schemaVersion of the tablet when the column ids were looked up
 * @param columnIds tablet column id of each column of the layout
 * @param rows array that holds the fixed part
 * @param indirect array that holds text and binary bytes
 * @param deadlineNanos on the process' monotonic clock; {@link #NO_DEADLINE} for none
 */
public record WriteSubmission(
    RequestId id,
    int schemaVersion,
    int[] columnIds,
    RowLayout layout,
    byte[] rows,
    int rowsOffset,
    int rowsLength,
    byte[] indirect,
    int indirectOffset,
    int indirectLength,
    long deadlineNanos) {
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  /** Bytes of row data. */
  public int bytes() {
    return rowsLength + indirectLength;
  }
}
