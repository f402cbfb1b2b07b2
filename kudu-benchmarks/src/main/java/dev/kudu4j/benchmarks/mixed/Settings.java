package dev.kudu4j.benchmarks.mixed;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of a mixed run.
 *
 * @param memoryLimitBytes memory limit of each server, from which heap and direct memory are
 *     derived
 * @param rowsBefore number of rows inserted before the measurement starts
 * @param insertsPerSecond maximum number of inserted rows
 * @param updatesPerSecond maximum number of updated rows
 * @param lookUpsPerSecond maximum number of single rows that are looked up by key
 * @param scansPerSecond maximum number of scans of {@link #ROWS_OF_SCAN} rows each
 */
public record Settings(
    int seconds,
    long memoryLimitBytes,
    int rowsBefore,
    int insertsPerSecond,
    int updatesPerSecond,
    int lookUpsPerSecond,
    int scansPerSecond) {
  /** Rows of a scan, regardless of the table's size. */
  static final int ROWS_OF_SCAN = 20_000;

  /** Rows of one write call. */
  static final int ROWS_OF_WRITE = 100;

  /**
   * Flags of the servers. In-memory stores are small, so that a run of minutes has as many flushes
   * and compactions as a run of hours with the default flags. The page cache is so small that it is
   * full before the end of the warm-up.
   */
  List<String> serverFlags() {
    return List.of(
        "--memory_limit_hard_bytes=" + memoryLimitBytes,
        "--flush_threshold_mb=8",
        "--flush_threshold_secs=20",
        "--block_cache_capacity_mb=32",
        "--default_num_replicas=1");
  }

  /**
   * JVM options that commit the whole heap at the start. {@code bin/kudu} derives the same heap
   * size from the memory limit.
   */
  String javaOptions() {
    return "-Xms" + ((memoryLimitBytes * 40 / 100) >> 20) + "m -XX:+AlwaysPreTouch";
  }

  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("seconds", seconds);
    map.put("memory_limit_bytes", memoryLimitBytes);
    map.put("rows_before", rowsBefore);
    map.put("inserts_per_second", insertsPerSecond);
    map.put("updates_per_second", updatesPerSecond);
    map.put("look_ups_per_second", lookUpsPerSecond);
    map.put("scans_per_second", scansPerSecond);
    map.put("server_flags", serverFlags());
    map.put("java_options", javaOptions());
    return map;
  }
}
