package dev.kudu4j.master.tables;

import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.rebalance.Balance;
import dev.kudu4j.master.rebalance.Move;
import dev.kudu4j.master.rebalance.MovePlanner;
import dev.kudu4j.master.reconcile.Action;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plans and begins moves of replicas in rounds, for the master's own rebalancing and for requests.
 *
 * <p>Thread-safe: one round at a time, which sees the moves that all earlier rounds have begun. So
 * a tablet is moved once at a time, and no server exceeds the limit of a round because of another
 * round. Plans start from the distribution after the moves in progress, so that later rounds do not
 * repeat them with other tablets.
 */
final class ReplicaMover {
  private final PresentBalance present;
  private final ObservedTablets observed;
  private final Action.Executor actions;

  /**
   * The result of a round.
   *
   * @param before the distribution before the round; excluded tablets are not movable
   * @param inProgress moves of earlier rounds
   * @param begun moves that this round has begun
   * @param planned moves that are planned and not begun
   */
  record Round(Balance before, List<Move> inProgress, List<Move> begun, List<Move> planned) {
    /** The number of tablets that can neither be moved nor are being moved. */
    int unmovableTablets() {
      long unmovable = before.tablets().stream().filter(tablet -> !tablet.movable()).count();
      return Math.max(0, (int) unmovable - inProgress.size());
    }
  }

  ReplicaMover(PresentBalance present, ObservedTablets observed, Action.Executor actions) {
    this.present = present;
    this.observed = observed;
    this.actions = actions;
  }

  /**
   * Plans moves, and begins those for which both servers are below their limit.
   *
   * @param movesPerServer limit of the moves from or to one server at a time; 0 begins none
   * @param max limit of the number of planned moves
   * @param excluded ids of tablets that are not moved
   */
  synchronized Round round(int movesPerServer, int max, Set<String> excluded, Requester requester) {
    List<Move> inProgress = present.movesInProgress(); // first: one may end meanwhile
    Balance before = present.balance().withUnmovable(excluded);
    Map<String, Integer> moves = new HashMap<>();
    inProgress.forEach(move -> count(move, moves));
    List<Move> begun = new ArrayList<>();
    List<Move> planned = new ArrayList<>();
    for (Move move : MovePlanner.plan(before.after(inProgress), max)) {
      if (isBelow(movesPerServer, move.from(), moves)
          && isBelow(movesPerServer, move.to(), moves)) {
        begin(move, requester);
        count(move, moves);
        begun.add(move);
      } else {
        planned.add(move);
      }
    }
    return new Round(before, inProgress, begun, planned);
  }

  private static void count(Move move, Map<String, Integer> moves) {
    moves.merge(move.from(), 1, Integer::sum);
    moves.merge(move.to(), 1, Integer::sum);
  }

  private static boolean isBelow(int limit, String server, Map<String, Integer> moves) {
    return moves.getOrDefault(server, 0) < limit;
  }

  private void begin(Move move, Requester requester) {
    TableChangeLog.moving(move, requester);
    observed.moveBegun(move.tablet(), move.from(), move.to(), move.reason());
    actions.changeMembership(move.tablet());
  }
}
