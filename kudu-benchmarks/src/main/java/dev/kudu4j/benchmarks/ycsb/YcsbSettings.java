package dev.kudu4j.benchmarks.ycsb;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The settings of a comparison.
 *
 * @param records number of loaded records
 * @param operations number of operations of each workload in each round
 * @param batch number of writes that a thread sends together; 1 sends each write separately
 * @param loadBatch number of writes that a thread sends together during the load
 * @param properties additional properties of YCSB and the binding, which override the default
 *     properties
 */
record YcsbSettings(
    List<StandardWorkload> workloads,
    List<RequestDistribution> distributions,
    int records,
    int operations,
    int threads,
    int batch,
    int loadBatch,
    int replicas,
    int hashPartitions,
    int rangePartitions,
    int rounds,
    int warmUpRounds,
    Map<String, String> properties) {
  YcsbSettings {
    if (records < 1
        || operations < 1
        || threads < 1
        || batch < 1
        || loadBatch < 1
        || hashPartitions < 1
        || rangePartitions < 1
        || rounds < 1
        || warmUpRounds < 0) {
      throw new IllegalArgumentException(
          "Records, operations, threads, batches, partitions and rounds must be positive; warm-up"
              + " rounds not negative");
    }
    workloads = List.copyOf(workloads);
    distributions = List.copyOf(distributions);
    properties = Map.copyOf(properties);
  }

  /**
   * Properties of the load.
   *
   * @param masters addresses of the masters of the side's cluster
   */
  Properties loading(String masters, String table) {
    Properties all = common(masters, table, loadBatch);
    all.setProperty("recordcount", Integer.toString(records));
    all.setProperty("operationcount", Integer.toString(records));
    all.putAll(properties);
    return all;
  }

  /**
   * Properties of a workload.
   *
   * @param recordsNow current number of records of the table
   */
  Properties running(
      String masters,
      String table,
      StandardWorkload workload,
      RequestDistribution distribution,
      long recordsNow) {
    Properties all = common(masters, table, batch);
    all.putAll(workload.properties(distribution));
    all.putAll(properties);
    all.setProperty("recordcount", Long.toString(recordsNow));
    all.setProperty("operationcount", Integer.toString(operations));
    return all;
  }

  private Properties common(String masters, String table, int batchOps) {
    Properties all = new Properties();
    all.setProperty("table", table);
    all.setProperty(BindingOptions.MASTERS, masters);
    all.setProperty(BindingOptions.REPLICAS, Integer.toString(replicas));
    all.setProperty(BindingOptions.HASH_PARTITIONS, Integer.toString(hashPartitions));
    all.setProperty(BindingOptions.RANGE_PARTITIONS, Integer.toString(rangePartitions));
    all.setProperty(BindingOptions.SYNC_OPS, Boolean.toString(batchOps == 1));
    all.setProperty(BindingOptions.BATCH_OPS, Integer.toString(batchOps));
    return all;
  }

  /** The settings for the JSON file of the report. */
  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("workloads", workloads);
    map.put("distributions", distributions);
    map.put("records", records);
    map.put("operations", operations);
    map.put("threads", threads);
    map.put("batch", batch);
    map.put("load_batch", loadBatch);
    map.put("hash_partitions", hashPartitions);
    map.put("range_partitions", rangePartitions);
    map.put("rounds", rounds);
    map.put("warm_up_rounds", warmUpRounds);
    map.put("properties", properties);
    return map;
  }
}
