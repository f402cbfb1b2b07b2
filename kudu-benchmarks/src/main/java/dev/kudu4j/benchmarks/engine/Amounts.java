package dev.kudu4j.benchmarks.engine;

/** As what the amounts of {@code lineitem} are stored. */
public enum Amounts {
  /** DECIMAL(15, 2), as TPC-H has it. */
  DECIMAL,
  /** DOUBLE, as the Kudu paper had it. */
  DOUBLE
}
