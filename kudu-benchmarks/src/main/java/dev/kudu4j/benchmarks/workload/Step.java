package dev.kudu4j.benchmarks.workload;

/** What a round may measure, in its order. All but the first and the last need the loaded table. */
public enum Step {
  CREATE_TABLE,
  LOAD,
  /** What the loaded table takes on disk. */
  SIZE,
  SCAN,
  LOOK_UP,
  INSERT,
  WRITERS;

  public boolean needsTable() {
    return this != CREATE_TABLE && this != WRITERS;
  }
}
