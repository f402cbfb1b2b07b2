package dev.kudu4j.benchmarks.report;

/** The scale of a plot, from zero. */
public final class Axis {
  private Axis() {}

  /** Rounds up to 1, 2 or 5 times a power of ten. */
  public static double roundUp(double value) {
    if (value <= 0) {
      return 1;
    }
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    for (int factor : new int[] {1, 2, 5}) {
      if (value <= factor * power) {
        return factor * power;
      }
    }
    return 10 * power;
  }
}
