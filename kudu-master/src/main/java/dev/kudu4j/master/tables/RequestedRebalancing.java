package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.master.RebalanceRequestPB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB.MovePB;
import dev.kudu4j.common.proto.master.RebalanceResponsePB.Reason;
import dev.kudu4j.common.proto.master.RebalanceResponsePB.State;
import dev.kudu4j.common.proto.master.TSInfoPB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.membership.MoveReason;
import dev.kudu4j.master.rebalance.Move;
import dev.kudu4j.master.rebalance.Skew;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Rebalances on request, one round a request, regardless of {@code --auto_rebalancing_enabled}. A
 * round begins moves and does not wait for their end.
 */
final class RequestedRebalancing {
  private final PresentBalance present;
  private final ReplicaMover mover;

  RequestedRebalancing(PresentBalance present, ReplicaMover mover) {
    this.present = present;
    this.mover = mover;
  }

  /**
   * One round.
   *
   * @throws KuduException INVALID_ARGUMENT for a limit below 1; SERVICE_UNAVAILABLE if no server
   *     takes replicas, or while a server is silent that may be back at any moment; ILLEGAL_STATE
   *     while a server counts as lost
   */
  RebalanceResponsePB round(RebalanceRequestPB request, Requester requester) {
    int movesPerServer = request.getMaxMovesPerServer();
    if (movesPerServer < 1) {
      throw KuduException.invalidArgument(
          "max_moves_per_server is %d; at least 1 move from or to a server has to be allowed",
          movesPerServer);
    }
    checkServers();
    ReplicaMover.Round round =
        mover.round(
            request.getReportOnly() ? 0 : movesPerServer,
            Integer.MAX_VALUE,
            request.getExcludedTabletIdsList().stream()
                .map(Ids::fromWire)
                .collect(Collectors.toSet()),
            requester);
    return new Answer().of(round, request.getReportOnly());
  }

  private void checkServers() {
    ServerRegistry servers = present.pool().servers();
    List<RegisteredServer> silent = present.silentServers();
    if (!silent.isEmpty()) {
      boolean lost = silent.stream().anyMatch(server -> !servers.isLive(server.uuid()));
      throw KuduException.of(
          lost ? StatusCode.ILLEGAL_STATE : StatusCode.SERVICE_UNAVAILABLE,
          "No replica is moved while a tablet server is silent: %s; restart it, or run kudu"
              + " tserver state enter_maintenance or kudu tserver unregister for it",
          silent.stream()
              .map(server -> describe(server, servers.millisSinceHeartbeat(server)))
              .collect(Collectors.joining(", ")));
    }
    if (present.pool().forReplica().isEmpty()) {
      throw KuduException.serviceUnavailable(
          "No tablet server that takes replicas has registered with this master yet");
    }
  }

  private static String describe(RegisteredServer server, long silentMillis) {
    return String.format(
        "%s at %s:%d, last heartbeat %d ms ago",
        server, server.rpcAddress().getHost(), server.rpcAddress().getPort(), silentMillis);
  }

  /** The response, which refers to each server by its index. */
  private final class Answer {
    private final RebalanceResponsePB.Builder response = RebalanceResponsePB.newBuilder();
    private final Map<String, Integer> serverIndexes = new HashMap<>();

    RebalanceResponsePB of(ReplicaMover.Round round, boolean withPlanned) {
      Skew skew = Skew.of(round.before());
      round.inProgress().forEach(move -> add(move, State.IN_PROGRESS));
      round.begun().forEach(move -> add(move, State.BEGUN));
      if (withPlanned) {
        round.planned().forEach(move -> add(move, State.PLANNED));
      }
      return response
          .setPlannedMoves(round.planned().size())
          .setUnmovableTablets(round.unmovableTablets())
          .setReplicaSkew(skew.clusterSkew())
          .setLeaderSkew(skew.leaderSkew())
          .build();
    }

    private void add(Move move, State state) {
      TableIdentifierPB.Builder table =
          TableIdentifierPB.newBuilder().setTableId(Ids.toWire(move.table()));
      TableInfo known = present.catalog().table(move.table());
      if (known != null) {
        table.setTableName(known.name());
      }
      response.addMoves(
          MovePB.newBuilder()
              .setTabletId(Ids.toWire(move.tablet()))
              .setTable(table)
              .setFromTsInfoIdx(serverIndex(move.from()))
              .setToTsInfoIdx(serverIndex(move.to()))
              .setReason(reason(move.reason()))
              .setState(state));
    }

    private int serverIndex(String uuid) {
      return serverIndexes.computeIfAbsent(
          uuid,
          id -> {
            RegisteredServer server = present.pool().servers().get(id);
            response.addTsInfos(
                server == null
                    ? TSInfoPB.newBuilder().setPermanentUuid(Ids.toWire(id)).build()
                    : server.info());
            return response.getTsInfosCount() - 1;
          });
    }

    private static Reason reason(MoveReason reason) {
      return switch (reason) {
        case LEAVING -> Reason.LEAVING;
        case LOCATION -> Reason.LOCATION;
        case TABLE -> Reason.TABLE;
        case CLUSTER -> Reason.CLUSTER;
      };
    }
  }
}
