package dev.kudu4j.benchmarks.workload;

import java.util.Set;

/**
 * The work of the servers that is measured.
 *
 * @param scale TPC-H's scale factor; 1 is 6,001,215 rows
 * @param replicas number of replicas of each tablet
 * @param steps the measured steps; if a step needs the table, it is loaded even without the step
 *     LOAD
 */
public record Workload(
    double scale, int replicas, Types types, Compression compression, Set<Step> steps) {
  public Workload {
    if (!(scale > 0) || steps.isEmpty()) {
      throw new IllegalArgumentException("Scale must be positive, and a step is needed");
    }
    steps = Set.copyOf(steps);
  }

  /** Whether a step needs the loaded table. */
  public boolean needsTable() {
    return steps.stream().anyMatch(Step::needsTable);
  }
}
