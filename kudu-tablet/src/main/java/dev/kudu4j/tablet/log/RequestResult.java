package dev.kudu4j.tablet.log;

import java.util.List;

/**
 * The result of one applied request. It is cached under its {@link RequestId} and returned to every
 * retry.
 *
 * @param timestamp hybrid time of the request
 * @param errors failed rows, in ascending order of row
 * @param counts rows by outcome
 * @param blockedBy the transaction that holds the key of a row, so that nothing of the request was
 *     applied, or {@link WriteRequest#NO_TRANSACTION}; a blocked result is not cached
 */
public record RequestResult(
    long timestamp, List<RowFailure> errors, OutcomeCounts counts, long blockedBy) {
  /** The result of a request that was applied. */
  public RequestResult(long timestamp, List<RowFailure> errors, OutcomeCounts counts) {
    this(timestamp, errors, counts, WriteRequest.NO_TRANSACTION);
  }

  /** The result of an entry without rows. */
  public static RequestResult withoutRows(long timestamp) {
    return new RequestResult(timestamp, List.of(), OutcomeCounts.NONE);
  }

  /** The result of a request of which nothing was applied, because the transaction holds a key. */
  public static RequestResult blocked(long timestamp, long transaction) {
    return new RequestResult(timestamp, List.of(), OutcomeCounts.NONE, transaction);
  }

  /** Whether nothing was applied, because a transaction holds the key of a row. */
  public boolean isBlocked() {
    return blockedBy != WriteRequest.NO_TRANSACTION;
  }

  /** Rows by outcome; the names follow the protocol's resource metrics. */
  public record OutcomeCounts(
      int successfulInserts,
      int insertIgnoreErrors,
      int successfulUpserts,
      int upsertIgnoreErrors,
      int successfulUpdates,
      int updateIgnoreErrors,
      int successfulDeletes,
      int deleteIgnoreErrors) {
    public static final OutcomeCounts NONE = new OutcomeCounts(0, 0, 0, 0, 0, 0, 0, 0);
  }
}
