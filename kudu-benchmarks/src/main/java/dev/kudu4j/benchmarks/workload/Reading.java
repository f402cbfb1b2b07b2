package dev.kudu4j.benchmarks.workload;

/** What a scan of {@code lineitem} asks for, and what of it is looked at. */
public enum Reading {
  /** Six columns; the quantity is summed. */
  SIX_COLUMNS,
  /** All columns; the quantity is summed. */
  ONE_CELL,
  /** All columns; the numbers are summed, and of each text, made a String, the length. */
  EVERY_CELL
}
