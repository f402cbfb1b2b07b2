package dev.kudu4j.master.rebalance;

import java.util.Map;
import java.util.TreeMap;

/**
 * How unevenly the replicas and leaders of a cluster are distributed.
 *
 * @param replicas number of replicas by server
 * @param leaders number of leaders by server
 * @param replicaSkewByTable for each table, the difference between the highest and the lowest
 *     number of its replicas on a server
 * @param misplaced number of tablets that have too many replicas in one location
 */
public record Skew(
    Map<String, Integer> replicas,
    Map<String, Integer> leaders,
    Map<String, Integer> replicaSkewByTable,
    int misplaced) {

  public static Skew of(Balance balance) {
    ReplicaCounts replicas = new ReplicaCounts(balance.locations().keySet());
    ReplicaCounts leaders = new ReplicaCounts(balance.locations().keySet());
    for (Balance.Placement tablet : balance.tablets()) {
      tablet.holders().forEach(holder -> replicas.add(tablet.table(), holder, 1));
      leaders.add(tablet.table(), tablet.leader(), 1);
    }
    Map<String, Integer> byTable = new TreeMap<>();
    replicas.tables().forEach(table -> byTable.put(table, replicas.skew(table)));
    return new Skew(
        new TreeMap<>(replicas.totals()),
        new TreeMap<>(leaders.totals()),
        byTable,
        new PlannedDistribution(balance).misplaced());
  }

  public int clusterSkew() {
    return difference(replicas);
  }

  public int leaderSkew() {
    return difference(leaders);
  }

  private static int difference(Map<String, Integer> counts) {
    var range = counts.values().stream().mapToInt(Integer::intValue).summaryStatistics();
    return counts.isEmpty() ? 0 : range.getMax() - range.getMin();
  }
}
