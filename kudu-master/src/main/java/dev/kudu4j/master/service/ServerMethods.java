package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatResponsePB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.master.ChangeTServerStateRequestPB;
import dev.kudu4j.common.proto.master.ChangeTServerStateResponsePB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.master.TServerStatePB;
import dev.kudu4j.common.proto.master.UnregisterTServerRequestPB;
import dev.kudu4j.common.proto.master.UnregisterTServerResponsePB;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.heartbeat.HeartbeatCheck;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import java.net.InetAddress;
import java.util.Optional;

/**
 * RPC methods for tablet servers: heartbeats, the list of servers, and states given by operators.
 */
final class ServerMethods {
  /**
   * The time after which a server repeats its heartbeat to a master that is loading the catalog. It
   * is short, since clients have to wait for heartbeats that report the leaders.
   */
  private static final int LOADING_MILLIS = 20;

  private static final int NEVER_SEEN = -1;

  private final MasterGroup group;
  private final MasterLeadership leadership;
  private final ServerRegistry servers;
  private final HybridClock clock;

  ServerMethods(
      MasterGroup group, MasterLeadership leadership, ServerRegistry servers, HybridClock clock) {
    this.group = group;
    this.leadership = leadership;
    this.servers = servers;
    this.clock = clock;
  }

  /**
   * Every master registers the sender; only a leader reads the report.
   *
   * @param from the address that sent it
   */
  TSHeartbeatResponsePB heartbeat(TSHeartbeatRequestPB request, InetAddress from) {
    HeartbeatCheck.check(request, clock.source().nowMicros());
    if (request.hasTimestamp() && clock.isTrusted(request.getTimestamp())) {
      clock.update(request.getTimestamp());
    }
    boolean wasLive = servers.isLive(Ids.fromWire(request.getInstance().getPermanentUuid()));
    RegisteredServer server = servers.heartbeatArrived(request, from);
    Optional<LeaderSession> session = leadership.current();
    TSHeartbeatResponsePB.Builder answer =
        TSHeartbeatResponsePB.newBuilder()
            .setMasterInstance(group.instance())
            .setLeader(session.isPresent());
    if (server == null) {
      return answer.setNeedsRegistration(true).setNeedsFullReport(true).build();
    }
    if (session.isPresent()) {
      answer.setTimestamp(clock.now());
      boolean reported = read(session.get(), server, request);
      servers.noteReported(server, reported);
      answer.setNeedsFullReport(!reported);
      if (!wasLive || request.hasRegistration()) {
        session.get().tables().serverReturned(server.uuid());
      }
    } else if (leadership.isLoading()) {
      answer.setComeBackMillis(LOADING_MILLIS);
    }
    return answer.build();
  }

  /**
   * Reads the tablet report of the heartbeat, if there is one; returns whether the leader session
   * has had a full report from this server.
   */
  private static boolean read(
      LeaderSession session, RegisteredServer server, TSHeartbeatRequestPB request) {
    session.tables().reports().readHeld(server.uuid());
    if (request.hasTabletReport()) {
      TabletReportPB report = request.getTabletReport();
      if (server.acceptReport(report.getSequence(), !report.getIncremental(), session.number())) {
        session.tables().reports().read(server.uuid(), report);
      }
    }
    return server.hasReportedIn(session.number());
  }

  ListTabletServersResponsePB listTabletServers(ListTabletServersRequestPB request) {
    Catalog catalog = leadership.session().catalog();
    ListTabletServersResponsePB.Builder answer = ListTabletServersResponsePB.newBuilder();
    for (RegisteredServer server : servers.all()) {
      long silent = Math.min(servers.millisSinceHeartbeat(server), Integer.MAX_VALUE);
      ListTabletServersResponsePB.Entry.Builder entry =
          ListTabletServersResponsePB.Entry.newBuilder()
              .setInstanceId(server.instance())
              .setRegistration(server.registration())
              .setMillisSinceHeartbeat((int) silent);
      if (!server.location().isEmpty()) {
        entry.setLocation(server.location());
      }
      String problem = servers.reportProblem(server);
      if (!problem.isEmpty()) {
        entry.setReportError(problem);
      }
      entry.setReplicaCount(server.load());
      if (request.getIncludeStates()) {
        writeState(catalog, server.uuid(), entry);
      }
      answer.addServers(entry);
    }
    if (request.getIncludeStates()) {
      addUnregistered(catalog, answer);
    }
    return answer.build();
  }

  private static void writeState(
      Catalog catalog, String uuid, ListTabletServersResponsePB.Entry.Builder entry) {
    boolean spared = !catalog.takesReplicas(uuid);
    entry.setState(spared ? TServerStatePB.MAINTENANCE_MODE : TServerStatePB.NONE);
    if (catalog.isDecommissioned(uuid)) {
      entry.setDecommissioned(true);
    }
  }

  /** Adds the servers that have a state given by an operator but have not registered. */
  private void addUnregistered(Catalog catalog, ListTabletServersResponsePB.Builder answer) {
    for (String uuid : catalog.specialServers()) {
      if (servers.get(uuid) == null) {
        ListTabletServersResponsePB.Entry.Builder entry =
            ListTabletServersResponsePB.Entry.newBuilder()
                .setInstanceId(
                    NodeInstancePB.newBuilder()
                        .setPermanentUuid(Ids.toWire(uuid))
                        .setInstanceSeqno(NEVER_SEEN))
                .setMillisSinceHeartbeat(NEVER_SEEN);
        writeState(catalog, uuid, entry);
        answer.addServers(entry);
      }
    }
  }

  ChangeTServerStateResponsePB changeState(ChangeTServerStateRequestPB request) {
    leadership.session().tables().changeServer(request);
    return ChangeTServerStateResponsePB.getDefaultInstance();
  }

  UnregisterTServerResponsePB unregister(UnregisterTServerRequestPB request) {
    leadership.session().tables().unregisterServer(request);
    return UnregisterTServerResponsePB.getDefaultInstance();
  }
}
