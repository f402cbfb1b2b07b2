package dev.kudu4j.master.rebalance;

import dev.kudu4j.master.membership.MoveReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Plans moves of replicas, the most urgent first.
 *
 * <p>Planning ends, since no tablet is moved twice and each move lowers a sum of squares. A move
 * for a table lowers the sum of the squares of the table's replica counts per server. A move for
 * the cluster lowers the sum of the squares of the total counts per server, and raises the sum of
 * no table. For the same reason these moves never increase the skew of a table.
 */
public final class MovePlanner {
  private final PlannedDistribution distribution;
  private final int max;
  private final List<Move> moves = new ArrayList<>();

  private MovePlanner(Balance balance, int max) {
    this.distribution = new PlannedDistribution(balance);
    this.max = max;
  }

  /**
   * Plans the next moves.
   *
   * @param max limit of the number of moves
   */
  public static List<Move> plan(Balance balance, int max) {
    MovePlanner planner = new MovePlanner(balance, max);
    planner.emptyLeaving();
    planner.fixLocations();
    for (String table : List.copyOf(planner.distribution.replicaCounts().tables())) {
      planner.repeat(() -> planner.balanceTable(table));
    }
    planner.repeat(planner::balanceCluster);
    return List.copyOf(planner.moves);
  }

  private boolean isFull() {
    return moves.size() >= max;
  }

  private void repeat(Supplier<Move> step) {
    while (!isFull()) {
      Move move = step.get();
      if (move == null) {
        return;
      }
      moves.add(move);
    }
  }

  private void emptyLeaving() {
    for (Balance.Placement tablet : distribution.balance().tablets()) {
      for (String server : tablet.holders()) {
        if (distribution.balance().leaving().contains(server)) {
          moveAway(tablet, server, MoveReason.LEAVING);
        }
      }
    }
  }

  private void fixLocations() {
    for (Balance.Placement tablet : distribution.balance().tablets()) {
      tablet.holders().stream()
          .filter(server -> distribution.isMisplaced(tablet, server))
          .max(fullness(tablet.table()))
          .ifPresent(server -> moveAway(tablet, server, MoveReason.LOCATION));
    }
  }

  private void moveAway(Balance.Placement tablet, String from, MoveReason reason) {
    if (isFull() || !distribution.isMovable(tablet)) {
      return;
    }
    distribution.replicaCounts().servers().stream()
        .filter(to -> distribution.mayMove(tablet, from, to))
        .filter(
            to ->
                reason != MoveReason.LOCATION
                    || !distribution.location(to).equals(distribution.location(from)))
        .min(fullness(tablet.table()))
        .ifPresent(to -> moves.add(distribution.move(tablet, from, to, reason)));
  }

  /** Orders servers by their replicas of the table, then by their replicas in total. */
  private Comparator<String> fullness(String table) {
    return Comparator.<String>comparingInt(server -> distribution.replicaCounts().of(table, server))
        .thenComparingInt(server -> distribution.replicaCounts().total(server));
  }

  /**
   * Moves a replica of the table from the fullest possible server to the emptiest possible server.
   * Returns null when no move makes the distribution of the table more even.
   */
  private Move balanceTable(String table) {
    ReplicaCounts counts = distribution.replicaCounts();
    List<String> fullest = new ArrayList<>(counts.servers());
    fullest.sort(fullness(table).reversed());
    for (String from : fullest) {
      for (int i = fullest.size() - 1; i >= 0; i--) {
        String to = fullest.get(i);
        if (counts.of(table, from) - counts.of(table, to) < 2) {
          break;
        }
        Balance.Placement tablet = distribution.movable(table, from, to);
        if (tablet != null) {
          return distribution.move(tablet, from, to, MoveReason.TABLE);
        }
      }
    }
    return null;
  }

  /**
   * Moves a replica from the fullest possible server to the emptiest possible server, without
   * making the distribution of any table less even. Returns null when there is no such move.
   */
  private Move balanceCluster() {
    ReplicaCounts counts = distribution.replicaCounts();
    List<String> fullest = new ArrayList<>(counts.servers());
    fullest.sort(Comparator.<String>comparingInt(counts::total).reversed());
    for (String from : fullest) {
      for (int i = fullest.size() - 1; i >= 0; i--) {
        String to = fullest.get(i);
        if (counts.total(from) - counts.total(to) < 2) {
          break;
        }
        Move move = balancePair(from, to);
        if (move != null) {
          return move;
        }
      }
    }
    return null;
  }

  private Move balancePair(String from, String to) {
    ReplicaCounts counts = distribution.replicaCounts();
    for (String table : counts.tables()) {
      if (counts.of(table, from) > counts.of(table, to)) {
        Balance.Placement tablet = distribution.movable(table, from, to);
        if (tablet != null) {
          return distribution.move(tablet, from, to, MoveReason.CLUSTER);
        }
      }
    }
    return null;
  }
}
