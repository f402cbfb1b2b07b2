package dev.kudu4j.benchmarks.options;

import picocli.CommandLine.Option;

/** The number of rows of {@code lineitem}. */
public final class ScaleOption {
  @Option(
      names = "--scale",
      defaultValue = "0.1",
      description = "TPC-H scale factor; 1 is 6,001,215 rows.")
  private double factor;

  public double factor() {
    return factor;
  }
}
