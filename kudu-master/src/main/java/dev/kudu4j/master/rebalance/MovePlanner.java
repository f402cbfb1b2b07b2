package dev.kudu4j.master.rebalance;

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
  private final Board board;
  private final int most;
  private final List<Move> moves = new ArrayList<>();

  private MovePlanner(Balance balance, int most) {
    this.board = new Board(balance);
    this.most = most;
  }

  /**
   * Plans the next moves.
   *
   * @param most limit of the number of moves
   */
  public static List<Move> plan(Balance balance, int most) {
    MovePlanner planner = new MovePlanner(balance, most);
    planner.emptyLeaving();
    planner.mendLocations();
    for (String table : List.copyOf(planner.board.tally().tables())) {
      planner.repeat(() -> planner.levelTable(table));
    }
    planner.repeat(planner::levelCluster);
    return List.copyOf(planner.moves);
  }

  private boolean isFull() {
    return moves.size() >= most;
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
    for (Balance.Placement tablet : board.balance().tablets()) {
      for (String server : tablet.holders()) {
        if (board.balance().leaving().contains(server)) {
          moveAway(tablet, server, Move.Reason.LEAVING);
        }
      }
    }
  }

  private void mendLocations() {
    for (Balance.Placement tablet : board.balance().tablets()) {
      tablet.holders().stream()
          .filter(server -> board.isMisplaced(tablet, server))
          .max(fullness(tablet.table()))
          .ifPresent(server -> moveAway(tablet, server, Move.Reason.LOCATION));
    }
  }

  private void moveAway(Balance.Placement tablet, String from, Move.Reason reason) {
    if (isFull() || !board.isMovable(tablet)) {
      return;
    }
    board.tally().servers().stream()
        .filter(to -> board.mayMove(tablet, from, to))
        .filter(
            to ->
                reason != Move.Reason.LOCATION || !board.location(to).equals(board.location(from)))
        .min(fullness(tablet.table()))
        .ifPresent(to -> moves.add(board.move(tablet, from, to, reason)));
  }

  /** Orders servers by their replicas of the table, then by their replicas in total. */
  private Comparator<String> fullness(String table) {
    return Comparator.<String>comparingInt(server -> board.tally().of(table, server))
        .thenComparingInt(server -> board.tally().total(server));
  }

  /**
   * Moves a replica of the table from the fullest possible server to the emptiest possible server.
   * Returns null when no move makes the distribution of the table more even.
   */
  private Move levelTable(String table) {
    Tally tally = board.tally();
    List<String> fullest = new ArrayList<>(tally.servers());
    fullest.sort(fullness(table).reversed());
    for (String from : fullest) {
      for (int i = fullest.size() - 1; i >= 0; i--) {
        String to = fullest.get(i);
        if (tally.of(table, from) - tally.of(table, to) < 2) {
          break;
        }
        Balance.Placement tablet = board.movable(table, from, to);
        if (tablet != null) {
          return board.move(tablet, from, to, Move.Reason.TABLE);
        }
      }
    }
    return null;
  }

  /**
   * Moves a replica from the fullest possible server to the emptiest possible server, without
   * making the distribution of any table less even. Returns null when there is no such move.
   */
  private Move levelCluster() {
    Tally tally = board.tally();
    List<String> fullest = new ArrayList<>(tally.servers());
    fullest.sort(Comparator.<String>comparingInt(tally::total).reversed());
    for (String from : fullest) {
      for (int i = fullest.size() - 1; i >= 0; i--) {
        String to = fullest.get(i);
        if (tally.total(from) - tally.total(to) < 2) {
          break;
        }
        Move move = levelPair(from, to);
        if (move != null) {
          return move;
        }
      }
    }
    return null;
  }

  private Move levelPair(String from, String to) {
    Tally tally = board.tally();
    for (String table : tally.tables()) {
      if (tally.of(table, from) > tally.of(table, to)) {
        Balance.Placement tablet = board.movable(table, from, to);
        if (tablet != null) {
          return board.move(tablet, from, to, Move.Reason.CLUSTER);
        }
      }
    }
    return null;
  }
}
