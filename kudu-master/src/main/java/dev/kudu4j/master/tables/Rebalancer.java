package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.consensus.LeaderStepDownMode;
import dev.kudu4j.common.proto.consensus.LeaderStepDownRequestPB;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.rebalance.LeaderPlanner;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps replicas and leaders spread evenly, a few moves at a time. While any server is silent
 * nothing is moved.
 */
final class Rebalancer {
  private static final Logger LOG = LoggerFactory.getLogger(Rebalancer.class);

  /** Moves planned in one run: enough to keep all servers busy until the next run. */
  private static final int PLANNED_MOVES = 200;

  private final PresentBalance present;
  private final ReplicaMover mover;
  private final TabletServerCalls calls;
  private final RebalancingOptions options;

  Rebalancer(
      PresentBalance present,
      ReplicaMover mover,
      TabletServerCalls calls,
      RebalancingOptions options) {
    this.present = present;
    this.mover = mover;
    this.calls = calls;
    this.options = options;
  }

  /**
   * Plans moves of replicas and begins those for which both servers are below their limit of moves.
   */
  void moveReplicas() {
    if (options.replicas() && present.silentServers().isEmpty()) {
      mover.round(options.movesPerServer(), PLANNED_MOVES, Set.of(), Requester.MASTER);
    }
  }

  /** Transfers leaderships so that leaders are spread more evenly. */
  void spreadLeaders() {
    if (!options.leaders() || !present.silentServers().isEmpty()) {
      return;
    }
    for (var transfer : LeaderPlanner.plan(present.balance(), options.transfersAtOnce())) {
      RegisteredServer leader = present.pool().servers().get(transfer.from());
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
}
