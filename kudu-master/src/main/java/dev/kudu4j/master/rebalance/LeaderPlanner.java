package dev.kudu4j.master.rebalance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Plans hand-overs of leadership, so that the leaders of each table, and of all tables, are spread
 * over the servers that hold them. It ends for the same reason as {@link MovePlanner}.
 */
public final class LeaderPlanner {
  private final Tally leaders;
  private final List<Balance.Placement> settled;
  private final Set<String> done = new HashSet<>();
  private final List<LeaderTransfer> transfers = new ArrayList<>();

  /** A transfer of the leadership of one tablet to another voter. */
  public record LeaderTransfer(String tablet, String from, String to) {}

  private LeaderPlanner(Balance balance) {
    this.leaders = new Tally(balance.locations().keySet());
    this.settled =
        balance.tablets().stream()
            .filter(tablet -> tablet.settled() && leaders.counts(tablet.leader()))
            .toList();
    balance.tablets().forEach(tablet -> leaders.add(tablet.table(), tablet.leader(), 1));
  }

  /**
   * The next hand-overs.
   *
   * @param most so many and no more
   */
  public static List<LeaderTransfer> plan(Balance balance, int most) {
    LeaderPlanner planner = new LeaderPlanner(balance);
    planner.level(2, Integer.MIN_VALUE, most);
    planner.level(1, 2, most);
    return List.copyOf(planner.transfers);
  }

  /**
   * Transfers leaderships wherever the difference within the table and that of the cluster are at
   * least this large.
   */
  private void level(int tableDifference, int clusterDifference, int most) {
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Balance.Placement tablet : settled) {
        if (transfers.size() >= most) {
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
