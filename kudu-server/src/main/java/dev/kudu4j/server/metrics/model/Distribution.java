package dev.kudu4j.server.metrics.model;

import java.util.List;

/**
 * Summary of a distribution of values.
 *
 * @param percentiles the values of the percentiles, in the order of {@link #PERCENTILES}
 * @param buckets cumulative counts of values up to a bound, with increasing bounds; empty if
 *     unknown
 */
public record Distribution(
    long count,
    long sum,
    long min,
    double mean,
    long max,
    List<Long> percentiles,
    List<Bucket> buckets) {
  /** The percentiles that are published. */
  public static final List<Double> PERCENTILES = List.of(50.0, 75.0, 95.0, 99.0, 99.9, 99.99);

  /** The number of values that are at most {@code upTo}. */
  public record Bucket(long upTo, long count) {}

  /** The summary of an empty distribution. */
  public static final Distribution EMPTY =
      new Distribution(0, 0, 0, 0, 0, List.of(0L, 0L, 0L, 0L, 0L, 0L), List.of());

  /** The value of one of {@link #PERCENTILES}. */
  public long percentile(double percent) {
    return percentiles.get(PERCENTILES.indexOf(percent));
  }
}
