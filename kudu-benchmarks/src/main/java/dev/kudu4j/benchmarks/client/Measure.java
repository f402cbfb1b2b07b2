package dev.kudu4j.benchmarks.client;

/**
 * The measures of a task. The rate and the latencies measure the calls; all others are resources
 * that the client's process uses.
 */
enum Measure {
  RATE("", "rows/s", true),
  P50(", p50", "ms", false),
  P99(", p99", "ms", false),
  CPU(", client CPU", "µs/row", false),
  ALLOCATED(", client's heap allocation", "bytes/row", false);

  private final String suffix;
  private final String unit;
  private final boolean moreIsBetter;

  Measure(String suffix, String unit, boolean moreIsBetter) {
    this.suffix = suffix;
    this.unit = unit;
    this.moreIsBetter = moreIsBetter;
  }

  /** The suffix of the task's title. */
  String suffix() {
    return suffix;
  }

  String unit() {
    return unit;
  }

  boolean moreIsBetter() {
    return moreIsBetter;
  }

  double better(double a, double b) {
    return moreIsBetter ? Math.max(a, b) : Math.min(a, b);
  }
}
