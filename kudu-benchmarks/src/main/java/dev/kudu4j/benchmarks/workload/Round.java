package dev.kudu4j.benchmarks.workload;

/** All workloads once over one cluster, with separate tables, which are dropped at the end. */
public interface Round {
  /**
   * @param name prefix of the names of its tables
   */
  void run(String name) throws Exception;
}
