package dev.kudu4j.benchmarks.selection;

import dev.kudu4j.benchmarks.cluster.TargetCluster;

/**
 * Answers selections by one plan.
 *
 * @param cluster the servers that are asked
 */
public record PlanReader(TargetCluster cluster, Reader reader) {
  /** Reads the selected rows. */
  interface Reader {
    Answer answer(Selection selection) throws Exception;
  }

  Answer answer(Selection selection) throws Exception {
    return reader.answer(selection);
  }
}
