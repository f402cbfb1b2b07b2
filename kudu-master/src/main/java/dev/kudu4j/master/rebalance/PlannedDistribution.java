package dev.kudu4j.master.rebalance;

import dev.kudu4j.master.membership.MoveReason;
import dev.kudu4j.master.placement.LocationRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The distribution of replicas as it will be after the moves planned so far. At most one replica of
 * a tablet is moved, so that the moves of one plan may be made in any order. Not thread-safe.
 */
final class PlannedDistribution {
  private final Balance balance;
  private final ReplicaCounts replicaCounts;
  private final int locationCount;
  private final Map<String, Set<String>> holders = new HashMap<>();
  private final Map<String, Map<String, List<Balance.Placement>>> byTableAndServer =
      new HashMap<>();
  private final Set<String> moved = new HashSet<>();

  PlannedDistribution(Balance balance) {
    this.balance = balance;
    this.replicaCounts = new ReplicaCounts(balance.locations().keySet());
    this.locationCount = new HashSet<>(balance.locations().values()).size();
    for (Balance.Placement tablet : balance.tablets()) {
      holders.put(tablet.tablet(), new LinkedHashSet<>(tablet.holders()));
      for (String holder : tablet.holders()) {
        replicaCounts.add(tablet.table(), holder, 1);
        byTableAndServer
            .computeIfAbsent(tablet.table(), table -> new HashMap<>())
            .computeIfAbsent(holder, server -> new ArrayList<>())
            .add(tablet);
      }
    }
  }

  Balance balance() {
    return balance;
  }

  ReplicaCounts replicaCounts() {
    return replicaCounts;
  }

  Set<String> holders(Balance.Placement tablet) {
    return holders.get(tablet.tablet());
  }

  boolean isMovable(Balance.Placement tablet) {
    return tablet.movable() && !moved.contains(tablet.tablet());
  }

  /**
   * A tablet of the table with a replica that may be moved from one server to the other; null if
   * there is none.
   */
  Balance.Placement movable(String table, String from, String to) {
    for (Balance.Placement tablet :
        byTableAndServer.getOrDefault(table, Map.of()).getOrDefault(from, List.of())) {
      if (mayMove(tablet, from, to)) {
        return tablet;
      }
    }
    return null;
  }

  boolean mayMove(Balance.Placement tablet, String from, String to) {
    Set<String> has = holders(tablet);
    return isMovable(tablet)
        && has.contains(from)
        && !has.contains(to)
        && (location(from).equals(location(to))
            || countIn(tablet, location(to)) < maxPerLocation(tablet));
  }

  Move move(Balance.Placement tablet, String from, String to, MoveReason reason) {
    moved.add(tablet.tablet());
    holders(tablet).remove(from);
    holders(tablet).add(to);
    replicaCounts.move(tablet.table(), from, to);
    return new Move(tablet.tablet(), tablet.table(), from, to, reason);
  }

  /**
   * The location of a server. A leaving server has the location {@code ?}, which no staying server
   * has.
   */
  String location(String server) {
    return balance.locations().getOrDefault(server, "?");
  }

  int countIn(Balance.Placement tablet, String location) {
    int count = 0;
    for (String holder : holders(tablet)) {
      if (location(holder).equals(location)) {
        count++;
      }
    }
    return count;
  }

  int maxPerLocation(Balance.Placement tablet) {
    return LocationRule.maxPerLocation(tablet.replicationFactor(), locationCount);
  }

  /** Whether the tablet has too many replicas in the location of that server. */
  boolean isMisplaced(Balance.Placement tablet, String server) {
    return replicaCounts.counts(server)
        && countIn(tablet, location(server)) > maxPerLocation(tablet);
  }

  int misplaced() {
    int misplaced = 0;
    for (Balance.Placement tablet : balance.tablets()) {
      if (tablet.holders().stream().anyMatch(server -> isMisplaced(tablet, server))) {
        misplaced++;
      }
    }
    return misplaced;
  }
}
