package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.tablet.log.RequestId;

/**
 * A client's rows to be logged, in wire format. The arrays are borrowed: the caller must not change
 * them before the answer.
 *
 * @param id id of the request; null if the caller needs no exactly-once semantics
 * @param schemaVersion schema version of the tablet when the column ids were looked up
 * @param columnIds tablet column id of each column of the layout
 * @param rows array that holds the fixed part
 * @param indirect array that holds text and binary bytes
 * @param deadlineNanos deadline on the process' monotonic clock, or {@link #NO_DEADLINE}
 * @param term the only term in which this may be logged, or {@link #ANY_TERM}: for a caller whose
 *     write is based on the state in that term
 * @param size size of the rows
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
    long deadlineNanos,
    long term,
    WriteSize size) {
  public static final long NO_DEADLINE = Long.MAX_VALUE;
  public static final long ANY_TERM = -1;

  /** Rows that this process packed: no two cells share bytes. */
  public WriteSubmission(
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
      long deadlineNanos,
      long term) {
    this(
        id,
        schemaVersion,
        columnIds,
        layout,
        rows,
        rowsOffset,
        rowsLength,
        indirect,
        indirectOffset,
        indirectLength,
        deadlineNanos,
        term,
        WriteSize.packed(rowsLength, indirectLength));
  }

  /** Rows that this process packed, which may be logged in any term. */
  public WriteSubmission(
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
    this(
        id,
        schemaVersion,
        columnIds,
        layout,
        rows,
        rowsOffset,
        rowsLength,
        indirect,
        indirectOffset,
        indirectLength,
        deadlineNanos,
        ANY_TERM);
  }

  /** Bytes of row data as received. */
  public int bytes() {
    return rowsLength + indirectLength;
  }

  /** Bytes of the rows with all their cells; at least {@link #bytes}. */
  long expandedBytes() {
    return rowsLength + Math.max(indirectLength, size.textBytes());
  }
}
