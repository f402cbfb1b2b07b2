package dev.kudu4j.benchmarks.baseline;

/** The type of the amounts of {@code lineitem}. */
public enum Amounts {
  /** DECIMAL(15, 2), as in TPC-H. */
  DECIMAL,
  /** DOUBLE, as in the Kudu paper. */
  DOUBLE
}
