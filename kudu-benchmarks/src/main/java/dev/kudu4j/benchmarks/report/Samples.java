package dev.kudu4j.benchmarks.report;

import java.util.Arrays;

/** Computes percentiles, medians and means. */
public final class Samples {
  private Samples() {}

  /**
   * The smallest value that at least {@code percent} % of all values do not exceed (nearest rank).
   *
   * @param percent the percentage, in (0, 100]
   */
  public static long percentile(long[] values, double percent) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[rank(sorted.length, percent)];
  }

  /** As {@link #percentile(long[], double)}. */
  public static double percentile(double[] values, double percent) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[rank(sorted.length, percent)];
  }

  /** The index of the percentile among sorted values. */
  private static int rank(int count, double percent) {
    if (count == 0 || percent <= 0 || percent > 100) {
      throw new IllegalArgumentException("No percentile " + percent + " of " + count + " values");
    }
    return (int) Math.ceil(percent / 100 * count) - 1;
  }

  /** The middle value or, for an even number of values, the mean of the two middle ones. */
  public static double median(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("No median of no values");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The geometric mean of positive values: the mean of ratios. */
  public static double geometricMean(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("No mean of no values");
    }
    return Math.exp(Arrays.stream(values).map(Math::log).average().getAsDouble());
  }
}
