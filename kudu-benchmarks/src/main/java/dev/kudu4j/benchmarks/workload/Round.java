package dev.kudu4j.benchmarks.workload;

/**
 * Runs all steps of a workload once on one cluster, with separate tables, which are dropped at the
 * end.
 */
public interface Round {
  /**
   * @param name prefix of the names of the round's tables
   */
  void run(String name) throws Exception;
}
