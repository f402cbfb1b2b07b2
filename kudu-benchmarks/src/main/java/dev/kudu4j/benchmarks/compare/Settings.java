package dev.kudu4j.benchmarks.compare;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a comparison is made.
 *
 * @param scale TPC-H's scale factor; 1 is 6,001,215 rows
 * @param replicas of each tablet, and tablet servers of each cluster
 * @param rounds measured rounds of each side
 * @param warmUpRounds rounds before them, not counted
 * @param starts measured starts of a fresh cluster
 * @param memoryLimitBytes what each server may use
 */
record Settings(
    double scale, int replicas, int rounds, int warmUpRounds, int starts, long memoryLimitBytes) {
  Settings {
    if (!(scale > 0)
        || replicas < 1
        || replicas % 2 == 0
        || rounds < 1
        || warmUpRounds < 0
        || starts < 0
        || memoryLimitBytes <= 0) {
      throw new IllegalArgumentException(
          "Scale, rounds and memory must be positive, replicas odd; warm-up rounds and starts not negative");
    }
  }

  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("scale", scale);
    map.put("replicas", replicas);
    map.put("rounds", rounds);
    map.put("warm_up_rounds", warmUpRounds);
    map.put("starts", starts);
    map.put("memory_limit_hard_bytes", memoryLimitBytes);
    return map;
  }
}
