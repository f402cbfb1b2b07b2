package dev.kudu4j.master.rebalance;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts replicas, or leaders, per server: in total and for each table. It has a fixed set of
 * servers. A server of this set without replicas counts as zero; all other servers are ignored. Not
 * thread-safe.
 */
final class ReplicaCounts {
  private final Map<String, Integer> totals = new TreeMap<>();
  private final Map<String, Map<String, Integer>> byTable = new TreeMap<>();

  ReplicaCounts(Collection<String> servers) {
    servers.forEach(server -> totals.put(server, 0));
  }

  boolean counts(String server) {
    return totals.containsKey(server);
  }

  void add(String table, String server, int count) {
    if (!counts(server)) {
      return;
    }
    totals.merge(server, count, Integer::sum);
    byTable.computeIfAbsent(table, t -> new HashMap<>()).merge(server, count, Integer::sum);
  }

  void move(String table, String from, String to) {
    add(table, from, -1);
    add(table, to, 1);
  }

  int total(String server) {
    return totals.getOrDefault(server, 0);
  }

  int of(String table, String server) {
    return byTable.getOrDefault(table, Map.of()).getOrDefault(server, 0);
  }

  Map<String, Integer> totals() {
    return totals;
  }

  Collection<String> tables() {
    return byTable.keySet();
  }

  Collection<String> servers() {
    return totals.keySet();
  }

  /** The difference between the highest and the lowest total of a server. */
  int skew() {
    return totals.isEmpty() ? 0 : max(totals.values()) - min(totals.values());
  }

  /** The difference between the highest and the lowest count of one table on a server. */
  int skew(String table) {
    int max = 0;
    int fewest = Integer.MAX_VALUE;
    for (String server : totals.keySet()) {
      max = Math.max(max, of(table, server));
      fewest = Math.min(fewest, of(table, server));
    }
    return totals.isEmpty() ? 0 : max - fewest;
  }

  private static int max(Collection<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  private static int min(Collection<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).min().orElse(0);
  }
}
