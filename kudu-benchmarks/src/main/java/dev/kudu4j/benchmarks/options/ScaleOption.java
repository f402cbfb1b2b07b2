package dev.kudu4j.benchmarks.options;

import picocli.CommandLine.Option;

/** How many rows of {@code lineitem} are written. */
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
