package dev.kudu4j.tablet.feed;

import dev.kudu4j.common.schema.Schema;
import java.util.function.Predicate;

/**
 * What to read from the change feed of a tablet.
 *
 * @param projection the columns of the rows, with ids, among them all key columns. A change that
 *     changes none of these columns is left out
 * @param from where to begin
 * @param end changes from this timestamp on are not read; no operation below it may still be
 *     applied
 * @param maxChanges the maximum number of changes to find
 * @param softLimitBytes no more rows are read once the rows take so many bytes
 * @param maxNanos no more rows are read once that has taken so long; the search for changes before
 *     it does not count
 * @param keys of the rows whose changes are wanted, encoded
 */
public record FeedRequest(
    Schema projection,
    FeedPosition from,
    long end,
    int maxChanges,
    long softLimitBytes,
    long maxNanos,
    Predicate<byte[]> keys) {
  /** A request for the changes of all rows. */
  public FeedRequest(
      Schema projection,
      FeedPosition from,
      long end,
      int maxChanges,
      long softLimitBytes,
      long maxNanos) {
    this(projection, from, end, maxChanges, softLimitBytes, maxNanos, key -> true);
  }

  /** A request for the changes of all rows that may take any time. */
  public FeedRequest(
      Schema projection, FeedPosition from, long end, int maxChanges, long softLimitBytes) {
    this(projection, from, end, maxChanges, softLimitBytes, Long.MAX_VALUE);
  }
}
