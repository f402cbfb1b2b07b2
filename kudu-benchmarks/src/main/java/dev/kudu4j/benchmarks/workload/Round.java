package dev.kudu4j.benchmarks.workload;

/** All workloads once over one cluster, with tables of its own that are gone afterwards. */
public interface Round {
  /**
   * @param name begins the names of its tables
   */
  void run(String name) throws Exception;
}
