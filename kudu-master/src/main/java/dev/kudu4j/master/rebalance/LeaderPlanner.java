package dev.kudu4j.master.rebalance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Plans transfers of leadership, so that the leaders of each table, and of all tables together, are
 * spread evenly over the servers. Planning ends for the same reason as in {@link MovePlanner}.
 */
public final class LeaderPlanner {
  private final ReplicaCounts leaders;
  private final List<Balance.Placement> movable;
  private final Set<String> done = new HashSet<>();
  private final List<LeaderTransfer> transfers = new ArrayList<>();

  /** A transfer of the leadership of one tablet to another voter. */
  public record LeaderTransfer(String tablet, String from, String to) {}

  private LeaderPlanner(Balance balance) {
    this.leaders = new ReplicaCounts(balance.locations().keySet());
    this.movable =
        balance.tablets().stream()
            .filter(tablet -> tablet.movable() && leaders.counts(tablet.leader()))
            .toList();
    balance.tablets().forEach(tablet -> leaders.add(tablet.table(), tablet.leader(), 1));
  }

  /**
   * Plans the next transfers.
   *
   * @param max limit of the number of transfers
   */
  public static List<LeaderTransfer> plan(Balance balance, int max) {
    LeaderPlanner planner = new LeaderPlanner(balance);
    planner.level(2, Integer.MIN_VALUE, max);
    planner.level(1, 2, max);
    return List.copyOf(planner.transfers);
  }

  /**
   * Plans transfers between two servers as long as they differ by at least {@code tableDifference}
   * leaders of the table, and by at least {@code clusterDifference} leaders of all tables.
   */
  private void level(int tableDifference, int clusterDifference, int max) {
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Balance.Placement tablet : movable) {
        if (transfers.size() >= max) {
          return;
        }
        changed |= transfer(tablet, tableDifference, clusterDifference);
      }
    }
  }

  private boolean transfer(Balance.Placement tablet, int tableDifference, int clusterDifference) {
    String table = tablet.table();
    String from = tablet.leader();
    if (done.contains(tablet.tablet())) {
      return false;
    }
    String to =
        tablet.holders().stream()
            .filter(leaders::counts)
            .min(
                Comparator.<String>comparingInt(server -> leaders.of(table, server))
                    .thenComparingInt(leaders::total))
            .orElse(from);
    boolean helps =
        leaders.of(table, from) - leaders.of(table, to) >= tableDifference
            && leaders.total(from) - leaders.total(to) >= clusterDifference;
    if (helps) {
      done.add(tablet.tablet());
      leaders.move(table, from, to);
      transfers.add(new LeaderTransfer(tablet.tablet(), from, to));
    }
    return helps;
  }
}
