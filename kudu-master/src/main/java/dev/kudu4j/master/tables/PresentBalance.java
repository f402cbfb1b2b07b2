package dev.kudu4j.master.tables;

import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.observed.ReplicaMove;
import dev.kudu4j.master.observed.TabletStatus;
import dev.kudu4j.master.rebalance.Balance;
import dev.kudu4j.master.rebalance.Move;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The distribution of replicas and the moves in progress, as this leader session sees them at the
 * moment of each call. Tablets of dropped tables do not count. Thread-safe.
 */
record PresentBalance(Catalog catalog, ObservedTablets observed, ServerPool pool) {
  /**
   * The servers that take replicas but have not sent a heartbeat in the last seconds. While there
   * are any, nothing is moved: their replicas have to be replaced first, or they may be back soon.
   */
  List<RegisteredServer> silentServers() {
    return pool.servers().all().stream()
        .filter(server -> !pool.servers().isFresh(server) && pool.isWanted(server))
        .toList();
  }

  /**
   * The current distribution of replicas. A tablet that is being moved counts at the source and at
   * the target.
   */
  Balance balance() {
    Map<String, String> locations = new TreeMap<>();
    pool.forReplica().forEach(server -> locations.put(server.uuid(), server.location()));
    List<Balance.Placement> tablets = new ArrayList<>();
    for (TableInfo table : tables()) {
      table.tablets().forEach(tablet -> tablets.add(placement(table, tablet)));
    }
    return new Balance(locations, Set.of(), tablets);
  }

  private List<TableInfo> tables() {
    return catalog.tables().stream().filter(table -> !table.isRemoved()).toList();
  }

  private Balance.Placement placement(TableInfo table, TabletInfo tablet) {
    TabletStatus status = observed.status(tablet.id());
    Group group = status.currentGroup();
    boolean movable =
        tablet.isRunning()
            && group != null
            && group.isWhole()
            && group.members().size() == table.replicationFactor()
            && Set.copyOf(group.uuids()).equals(Set.copyOf(tablet.members())) // recorded already
            && tablet.uncreated().isEmpty()
            && move(tablet) == null;
    return new Balance.Placement(
        tablet.id(),
        table.id(),
        table.replicationFactor(),
        tablet.members(),
        status.hasLeader() ? status.leader() : "",
        movable);
  }

  private ReplicaMove move(TabletInfo tablet) {
    return observed.get(tablet.id()).move(observed.nowNanos());
  }

  /** The moves that this leader session has begun and that have not ended. */
  List<Move> movesInProgress() {
    List<Move> moves = new ArrayList<>();
    for (TableInfo table : tables()) {
      for (TabletInfo tablet : table.tablets()) {
        ReplicaMove move = move(tablet);
        if (move != null) {
          moves.add(new Move(tablet.id(), table.id(), move.source(), move.target(), move.reason()));
        }
      }
    }
    return moves;
  }
}
