package dev.kudu4j.server.metrics.model;

import java.util.List;

/**
 * Many values at a glance.
 *
 * @param percentiles in the order of {@link #PERCENTILES}
 * @param buckets how many values were at most so large, rising; empty when that is not known
 */
public record Distribution(
    long count,
    long sum,
    long min,
    double mean,
    long max,
    List<Long> percentiles,
    List<Bucket> buckets) {
  /** Which percentiles are told. */
  public static final List<Double> PERCENTILES = List.of(50.0, 75.0, 95.0, 99.0, 99.9, 99.99);

  /** How many values were at most {@code upTo}. */
  public record Bucket(long upTo, long count) {}

  /** Of no values. */
  public static final Distribution EMPTY =
      new Distribution(0, 0, 0, 0, 0, List.of(0L, 0L, 0L, 0L, 0L, 0L), List.of());

  /** One of {@link #PERCENTILES}. */
  public long percentile(double percent) {
    return percentiles.get(PERCENTILES.indexOf(percent));
  }
}
