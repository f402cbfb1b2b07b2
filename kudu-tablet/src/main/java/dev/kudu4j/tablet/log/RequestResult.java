package dev.kudu4j.tablet.log;

import java.util.List;

/**
 * The result of one applied request. It is cached under its {@link RequestId} and returned to every
 * retry.
 *
 * @param timestamp hybrid time of the request
 * @param errors failed rows, in ascending order of row
 * @param counts rows by outcome
 */
public record RequestResult(long timestamp, List<RowFailure> errors, OutcomeCounts counts) {
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
