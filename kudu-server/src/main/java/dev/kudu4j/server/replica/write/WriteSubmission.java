package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.WriteRequest;
import org.jspecify.annotations.Nullable;

/**
 * A client's rows to be logged. The arrays are not copied: the caller must not change them before
 * the response.
 *
 * @param id id of the request; null if the caller needs no exactly-once semantics
 * @param transaction id of the transaction of the rows, or {@link WriteRequest#NO_TRANSACTION}
 * @param schemaVersion schema version of the tablet when the column ids were looked up
 * @param columnIds tablet column id of each column of the rows' layout
 * @param deadlineNanos deadline on the process' monotonic clock, or {@link #NO_DEADLINE}
 * @param term the only term in which the rows may be logged, for a caller whose write is based on
 *     the state in that term; otherwise {@link #ANY_TERM}
 * @param size size of the rows
 */
public record WriteSubmission(
    @Nullable RequestId id,
    long transaction,
    int schemaVersion,
    int[] columnIds,
    RowOperations rows,
    long deadlineNanos,
    long term,
    WriteSize size) {
  public static final long NO_DEADLINE = Long.MAX_VALUE;
  public static final long ANY_TERM = -1;

  /** Creates a submission of rows that this process packed, in which no two cells share bytes. */
  public WriteSubmission(
      @Nullable RequestId id,
      int schemaVersion,
      int[] columnIds,
      RowOperations rows,
      long deadlineNanos,
      long term) {
    this(
        id,
        WriteRequest.NO_TRANSACTION,
        schemaVersion,
        columnIds,
        rows,
        deadlineNanos,
        term,
        WriteSize.packed(rows));
  }

  /** The same rows in a transaction. */
  public WriteSubmission inTransaction(long of) {
    return new WriteSubmission(id, of, schemaVersion, columnIds, rows, deadlineNanos, term, size);
  }

  /** The same rows, to be logged in this term only. */
  public WriteSubmission inTerm(long only) {
    return new WriteSubmission(
        id, transaction, schemaVersion, columnIds, rows, deadlineNanos, only, size);
  }

  /** The same operations, some of which are marked. */
  public WriteSubmission withRows(RowOperations marked) {
    return new WriteSubmission(
        id, transaction, schemaVersion, columnIds, marked, deadlineNanos, term, size);
  }

  /** Bytes of row data as received. */
  public int bytes() {
    return rows.bytes();
  }

  /** Bytes of the rows if each cell had its own copy of its bytes; at least {@link #bytes}. */
  long expandedBytes() {
    return rows.rowsLength() + Math.max(rows.indirectLength(), size.textBytes());
  }
}
