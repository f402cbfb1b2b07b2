package dev.kudu4j.benchmarks.tpch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The work of a run.
 *
 * @param queries numbers of the queries, in the order in which they run
 */
record TpchSettings(
    double scale,
    int buckets,
    List<Integer> queries,
    int rounds,
    int warmUpRounds,
    String sparkMaster,
    Map<String, String> sparkConfiguration,
    int sparkHeapMegabytes) {
  static final int QUERIES = 22;

  TpchSettings {
    queries = List.copyOf(new TreeSet<>(queries));
    if (queries.isEmpty() || queries.get(0) < 1 || queries.get(queries.size() - 1) > QUERIES) {
      throw new IllegalArgumentException("TPC-H has the queries 1 to 22; these were " + queries);
    }
    if (rounds < 1 || warmUpRounds < 0) {
      throw new IllegalArgumentException(
          "Rounds must be positive; warm-up rounds must not be negative");
    }
    sparkConfiguration = Map.copyOf(sparkConfiguration);
  }

  /** The settings, for the JSON file and the page. */
  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("scale", scale);
    map.put("buckets", buckets);
    map.put("queries", queries);
    map.put("rounds", rounds);
    map.put("warm_up_rounds", warmUpRounds);
    map.put("spark_master", sparkMaster);
    map.put("spark_heap_mb", sparkHeapMegabytes);
    map.put("spark_configuration", sparkConfiguration);
    return map;
  }
}
