package dev.kudu4j.benchmarks.options;

import picocli.CommandLine.Option;

/** The number of rounds of each side. */
public final class RoundOptions {
  @Option(names = "--rounds", defaultValue = "3", description = "Measured rounds of each side.")
  private int measured;

  @Option(
      names = "--warm-up",
      defaultValue = "1",
      description = "Warm-up rounds, which are not counted.")
  private int warmUp;

  public int measured() {
    return measured;
  }

  public int warmUp() {
    return warmUp;
  }
}
