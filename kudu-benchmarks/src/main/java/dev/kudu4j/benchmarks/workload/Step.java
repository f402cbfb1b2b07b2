package dev.kudu4j.benchmarks.workload;

/**
 * The possible steps of a round, in order. All except the first and the last need the loaded table.
 */
public enum Step {
  CREATE_TABLE,
  LOAD,
  /** The size of the loaded table on disk. */
  SIZE,
  SCAN,
  LOOK_UP,
  INSERT,
  WRITERS;

  public boolean needsTable() {
    return this != CREATE_TABLE && this != WRITERS;
  }
}
