package dev.kudu4j.benchmarks.workload;

/** The columns that a scan of {@code lineitem} reads, and the cells that the client uses. */
public enum Reading {
  /** Six columns; the quantity is summed. */
  SIX_COLUMNS,
  /** All columns; the quantity is summed. */
  ONE_CELL,
  /** All columns; the numbers are summed, and the lengths of all texts as Strings. */
  EVERY_CELL
}
