package dev.kudu4j.benchmarks.ycsb;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import site.ycsb.Status;

/**
 * The durations of calls by kind, and the number of failed calls by result. For one thread at a
 * time.
 */
final class Latencies {
  private static final int SIGNIFICANT_DIGITS = 3;

  private final Map<OperationKind, Histogram> nanos = new EnumMap<>(OperationKind.class);
  private final Map<String, Long> failures = new TreeMap<>();

  void add(OperationKind kind, long tookNanos, Status status) {
    add(kind, tookNanos);
    if (!status.isOk()) {
      failures.merge(kind.title() + ": " + status.getName(), 1L, Long::sum);
    }
  }

  void add(OperationKind kind, long tookNanos) {
    nanos
        .computeIfAbsent(kind, k -> new Histogram(SIGNIFICANT_DIGITS))
        .recordValue(Math.max(0, tookNanos));
  }

  /** Adds the durations and results that another thread has recorded. */
  void add(Latencies other) {
    other.nanos.forEach(
        (kind, histogram) ->
            nanos.computeIfAbsent(kind, k -> new Histogram(SIGNIFICANT_DIGITS)).add(histogram));
    other.failures.forEach((what, count) -> failures.merge(what, count, Long::sum));
  }

  long count(OperationKind kind) {
    Histogram histogram = nanos.get(kind);
    return histogram == null ? 0 : histogram.getTotalCount();
  }

  /**
   * The percentile of the durations of this kind in milliseconds; NaN if there was no such call.
   */
  double millisAtPercentile(OperationKind kind, double percentile) {
    Histogram histogram = nanos.get(kind);
    return histogram == null ? Double.NaN : histogram.getValueAtPercentile(percentile) / 1e6;
  }

  /** The number of failed calls by result: all results except OK. */
  Map<String, Long> failures() {
    return failures;
  }
}
