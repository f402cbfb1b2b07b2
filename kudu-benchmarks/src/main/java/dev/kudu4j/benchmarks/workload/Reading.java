package dev.kudu4j.benchmarks.workload;

/** The columns that a scan of {@code lineitem} reads, and the cells that the client uses. */
public enum Reading {
  /** Six columns are read; the client sums up the quantity. */
  SIX_COLUMNS,
  /** All columns are read; the client sums up only the quantity. */
  ONE_CELL,
  /**
   * All columns are read; the client sums up all numbers, and the lengths of all strings as
   * Strings.
   */
  EVERY_CELL
}
