package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.tablet.log.RequestId;

/**
 * A client's rows on their way into the log. Their arrays are borrowed until the answer.
 *
 * @param id of the request; null if the caller needs no exactly-once answer
 * @param schemaVersion of the tablet when the column ids were looked up
 * @param columnIds tablet column id of each column of the rows' layout
 * @param deadlineNanos on the process' monotonic clock; {@link #NO_DEADLINE} for none
 * @param term the only term in which this may be logged, or {@link #ANY_TERM}: for a caller whose
 *     write is based on the state in that term
 * @param size what the rows amount to
 */
public record WriteSubmission(
    RequestId id,
    int schemaVersion,
    int[] columnIds,
    RowOperations rows,
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
      RowOperations rows,
      long deadlineNanos,
      long term) {
    this(id, schemaVersion, columnIds, rows, deadlineNanos, term, WriteSize.packed(rows));
  }

  /** Bytes of row data as they came. */
  public int bytes() {
    return rows.bytes();
  }

  /** Bytes of the rows with all their cells; at least those as they came. */
  long expandedBytes() {
    return rows.rowsLength() + Math.max(rows.indirectLength(), size.textBytes());
  }
}
