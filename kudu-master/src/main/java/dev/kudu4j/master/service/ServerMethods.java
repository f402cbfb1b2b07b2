package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatResponsePB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.master.TServerStatePB;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.heartbeat.TabletServer;
import dev.kudu4j.master.heartbeat.TabletServers;
import java.util.Optional;

/** Tablet servers: what they tell, and what clients are told of them. */
final class ServerMethods {
  /** So that clients of a master that starts need not wait for a heartbeat to be told who leads. */
  private static final int LOADING_MILLIS = 20;

  private final MasterGroup group;
  private final Leadership leadership;
  private final TabletServers servers;
  private final HybridClock clock;

  ServerMethods(
      MasterGroup group, Leadership leadership, TabletServers servers, HybridClock clock) {
    this.group = group;
    this.leadership = leadership;
    this.servers = servers;
    this.clock = clock;
  }

  /** Every master takes note of the sender; only a leader reads the report. */
  TSHeartbeatResponsePB heartbeat(TSHeartbeatRequestPB request) {
    if (request.hasTimestamp() && clock.isTrusted(request.getTimestamp())) {
      clock.update(request.getTimestamp());
    }
    boolean wasLive = servers.isLive(Ids.fromWire(request.getInstance().getPermanentUuid()));
    TabletServer server = servers.heartbeatArrived(request);
    Optional<Reign> reign = leadership.current();
    TSHeartbeatResponsePB.Builder answer =
        TSHeartbeatResponsePB.newBuilder()
            .setMasterInstance(group.instance())
            .setLeader(reign.isPresent());
    if (server == null) {
      return answer.setNeedsRegistration(true).setNeedsFullReport(true).build();
    }
    if (reign.isPresent()) {
      answer.setTimestamp(clock.now());
      answer.setNeedsFullReport(!read(reign.get(), server, request));
      if (!wasLive || request.hasRegistration()) {
        reign.get().tables().serverReturned(server.uuid());
      }
    } else if (leadership.isLoading()) {
      answer.setComeBackMillis(LOADING_MILLIS);
    }
    return answer.build();
  }

  /** Reads the report, if there is one, and tells whether the reign has had a full one. */
  private static boolean read(Reign reign, TabletServer server, TSHeartbeatRequestPB request) {
    if (request.hasTabletReport()) {
      TabletReportPB report = request.getTabletReport();
      if (server.acceptReport(report.getSequence(), !report.getIncremental(), reign.number())) {
        reign.tables().reports().read(server.uuid(), report);
      }
    }
    return server.hasReportedIn(reign.number());
  }

  ListTabletServersResponsePB listTabletServers(ListTabletServersRequestPB request) {
    leadership.reign();
    ListTabletServersResponsePB.Builder answer = ListTabletServersResponsePB.newBuilder();
    for (TabletServer server : servers.all()) {
      long silent = Math.min(servers.millisSinceHeartbeat(server), Integer.MAX_VALUE);
      ListTabletServersResponsePB.Entry.Builder entry =
          ListTabletServersResponsePB.Entry.newBuilder()
              .setInstanceId(server.instance())
              .setRegistration(server.registration())
              .setMillisSinceHeartbeat((int) silent);
      if (request.getIncludeStates()) {
        entry.setState(TServerStatePB.NONE);
      }
      answer.addServers(entry);
    }
    return answer.build();
  }
}
