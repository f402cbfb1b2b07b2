package dev.kudu4j.benchmarks.workload;

import java.util.Set;

/**
 * How much is asked of the servers.
 *
 * @param scale TPC-H's scale factor; 1 is 6,001,215 rows
 * @param replicas of each tablet
 * @param steps what is measured; the table is loaded when one of them needs it
 */
public record Workload(
    double scale, int replicas, Types types, Compression compression, Set<Step> steps) {
  public Workload {
    if (!(scale > 0) || steps.isEmpty()) {
      throw new IllegalArgumentException("Scale must be positive, and a step is needed");
    }
    steps = Set.copyOf(steps);
  }

  /** Whether the table is to be loaded. */
  public boolean needsTable() {
    return steps.stream().anyMatch(Step::needsTable);
  }
}
