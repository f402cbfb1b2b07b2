package dev.kudu4j.master.rebalance;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The distribution of a cluster's replicas at one moment.
 *
 * @param locations the locations of the servers that replicas may be moved from and to, by uuid; an
 *     empty text if the cluster has no locations
 * @param leaving servers that shall lose all replicas; they are not in {@code locations}
 */
public record Balance(Map<String, String> locations, Set<String> leaving, List<Placement> tablets) {
  public Balance {
    locations = Map.copyOf(locations);
    leaving = Set.copyOf(leaving);
    tablets = List.copyOf(tablets);
  }

  /**
   * One tablet.
   *
   * @param table id of its table
   * @param holders uuids of its voters
   * @param leader uuid of the leader; empty when not known
   * @param movable whether a replica may be moved: all replicas exist and are healthy, and none is
   *     being moved
   */
  public record Placement(
      String tablet,
      String table,
      int replicationFactor,
      List<String> holders,
      String leader,
      boolean movable) {
    public Placement {
      holders = List.copyOf(holders);
    }

    private Placement unmovable() {
      return new Placement(tablet, table, replicationFactor, holders, leader, false);
    }

    /** This tablet once the move has ended, however far it is now. */
    private Placement after(Move move) {
      if (!holders.contains(move.from())) {
        return this;
      }
      List<String> after = new ArrayList<>(holders);
      if (after.contains(move.to())) {
        after.remove(move.from());
      } else {
        after.set(after.indexOf(move.from()), move.to());
      }
      return new Placement(tablet, table, replicationFactor, after, leader, movable);
    }
  }

  /** This distribution, with these tablets not movable. */
  public Balance withUnmovable(Set<String> ids) {
    List<Placement> all =
        tablets.stream()
            .map(tablet -> ids.contains(tablet.tablet()) ? tablet.unmovable() : tablet)
            .toList();
    return new Balance(locations, leaving, all);
  }

  /** The distribution once these moves have ended. There is at most one move of a tablet. */
  public Balance after(Collection<Move> moves) {
    Map<String, Move> byTablet = new HashMap<>();
    moves.forEach(move -> byTablet.put(move.tablet(), move));
    List<Placement> after = new ArrayList<>(tablets.size());
    for (Placement tablet : tablets) {
      Move move = byTablet.get(tablet.tablet());
      after.add(move == null ? tablet : tablet.after(move));
    }
    return new Balance(locations, leaving, after);
  }
}
