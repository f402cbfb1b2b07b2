package dev.kudu4j.benchmarks.workload;

/** The types of the columns of {@code lineitem}. */
public enum Types {
  /** Amounts as DOUBLE, dates as STRING, as in the Kudu paper's runs. */
  SIMPLE,
  /** Amounts as DECIMAL(15, 2), dates as DATE, the line number as INT32. */
  EXACT
}
