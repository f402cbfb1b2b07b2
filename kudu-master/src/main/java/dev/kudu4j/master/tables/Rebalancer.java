package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.consensus.LeaderStepDownMode;
import dev.kudu4j.common.proto.consensus.LeaderStepDownRequestPB;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.observed.TabletStatus;
import dev.kudu4j.master.rebalance.Balance;
import dev.kudu4j.master.rebalance.LeaderPlanner;
import dev.kudu4j.master.rebalance.Move;
import dev.kudu4j.master.rebalance.MovePlanner;
import dev.kudu4j.master.reconcile.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps replicas and leaders spread evenly, a few moves at a time. While any server is silent
 * nothing is moved: its replicas have to be replaced first, or it may be back soon.
 */
final class Rebalancer {
  private static final Logger LOG = LoggerFactory.getLogger(Rebalancer.class);

  /** Moves planned in one run: enough to keep all servers busy until the next run. */
  private static final int PLANNED_MOVES = 200;

  private final Catalog catalog;
  private final ObservedTablets observed;
  private final ServerPool pool;
  private final TabletServerCalls calls;
  private final RebalancingOptions options;
  private final Action.Executor actions;

  Rebalancer(
      Catalog catalog,
      ObservedTablets observed,
      ServerPool pool,
      TabletServerCalls calls,
      RebalancingOptions options,
      Action.Executor actions) {
    this.catalog = catalog;
    this.observed = observed;
    this.pool = pool;
    this.calls = calls;
    this.options = options;
    this.actions = actions;
  }

  /**
   * Plans moves of replicas and begins those for which both servers are below their limit of moves.
   */
  void moveReplicas() {
    if (!options.replicas() || isAnyServerSilent()) {
      return;
    }
    Map<String, Integer> underWay = observed.movesByServer();
    for (Move move : MovePlanner.plan(balance(), PLANNED_MOVES)) {
      if (hasRoom(move.from(), underWay) && hasRoom(move.to(), underWay)) {
        LOG.info(
            "T {}: Moves the replica on P {} to P {}: {}",
            move.tablet(),
            move.from(),
            move.to(),
            move.reason());
        observed.moveBegun(move.tablet(), move.from(), move.to());
        underWay.merge(move.from(), 1, Integer::sum);
        underWay.merge(move.to(), 1, Integer::sum);
        actions.changeMembership(move.tablet());
      }
    }
  }

  private boolean hasRoom(String server, Map<String, Integer> moves) {
    return moves.getOrDefault(server, 0) < options.movesPerServer();
  }

  private boolean isAnyServerSilent() {
    return pool.servers().all().stream()
        .anyMatch(server -> !pool.servers().isFresh(server) && pool.isWanted(server));
  }

  /** Transfers leaderships so that leaders are spread more evenly. */
  void spreadLeaders() {
    if (!options.leaders() || isAnyServerSilent()) {
      return;
    }
    for (var transfer : LeaderPlanner.plan(balance(), options.transfersAtOnce())) {
      RegisteredServer leader = pool.servers().get(transfer.from());
      if (leader != null) {
        LOG.info(
            "T {}: Transfers the leadership from P {} to P {}: leaders are spread evenly",
            transfer.tablet(),
            transfer.from(),
            transfer.to());
        calls.stepDown(leader, request(transfer)).whenComplete((answer, failure) -> {});
      }
    }
  }

  private static LeaderStepDownRequestPB request(LeaderPlanner.LeaderTransfer transfer) {
    return LeaderStepDownRequestPB.newBuilder()
        .setDestUuid(Ids.toWire(transfer.from()))
        .setTabletId(Ids.toWire(transfer.tablet()))
        .setMode(LeaderStepDownMode.GRACEFUL)
        .setNewLeaderUuid(Ids.toWire(transfer.to()))
        .build();
  }

  private Balance balance() {
    Map<String, String> locations = new TreeMap<>();
    pool.forReplica().forEach(server -> locations.put(server.uuid(), server.location()));
    List<Balance.Placement> tablets = new ArrayList<>();
    for (TableInfo table : catalog.tables()) {
      if (!table.isRemoved()) {
        table.tablets().forEach(tablet -> tablets.add(placement(table, tablet)));
      }
    }
    return new Balance(locations, Set.of(), tablets);
  }

  private Balance.Placement placement(TableInfo table, TabletInfo tablet) {
    TabletStatus status = observed.status(tablet.id());
    Group group = status.currentGroup();
    boolean movable =
        tablet.isRunning()
            && group != null
            && group.isWhole()
            && group.members().size() == table.replicationFactor()
            && tablet.uncreated().isEmpty()
            && observed.get(tablet.id()).move(observed.nowNanos()) == null;
    return new Balance.Placement(
        tablet.id(),
        table.id(),
        table.replicationFactor(),
        tablet.members(),
        status.hasLeader() ? status.leader() : "",
        movable);
  }
}
