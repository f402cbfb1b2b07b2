package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.cluster.AlterSchemaRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatResponsePB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.master.catalog.Ids;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A tablet server without tablets: it knows which replicas it has, and heartbeats. A tablet has a
 * leader, its first live member, as soon as most members have their replica.
 */
final class FakeTabletServer {
  static final class Replica {
    final RaftConfigPB config;
    SchemaPB schema;
    int schemaVersion;

    Replica(CreateTabletRequestPB request) {
      this.config = request.getConfig();
      this.schema = request.getSchema();
      this.schemaVersion = request.getSchemaVersion();
    }
  }

  private final String uuid;
  private final FakeCluster cluster;
  private final Map<String, Replica> replicas = new TreeMap<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private final Set<String> removed = new LinkedHashSet<>();
  private long run = 1;
  private long sequence;
  private boolean registers = true;
  private boolean reportsAll = true;
  private boolean silent;

  FakeTabletServer(String uuid, FakeCluster cluster) {
    this.uuid = uuid;
    this.cluster = cluster;
  }

  String uuid() {
    return uuid;
  }

  Map<String, Replica> replicas() {
    return replicas;
  }

  boolean isSilent() {
    return silent;
  }

  void setSilent(boolean silent) {
    this.silent = silent;
  }

  void restart() {
    run++;
    sequence = 0;
    registers = true;
    reportsAll = true;
    changed.clear();
    removed.clear();
  }

  void create(CreateTabletRequestPB request) {
    String id = Ids.fromWire(request.getTabletId());
    replicas.computeIfAbsent(id, any -> new Replica(request));
    removed.remove(id); // a report names a replica as there or as gone, never as both
    cluster.membersOf(replicas.get(id)).forEach(member -> member.changed.add(id));
  }

  void alter(AlterSchemaRequestPB request) {
    String id = Ids.fromWire(request.getTabletId());
    for (FakeTabletServer member : cluster.membersOf(replicas.get(id))) {
      Replica replica = member.replicas.get(id);
      if (replica != null && replica.schemaVersion < request.getSchemaVersion()) {
        replica.schema = request.getSchema();
        replica.schemaVersion = request.getSchemaVersion();
        member.changed.add(id);
      }
    }
  }

  boolean delete(String id) {
    boolean had = replicas.remove(id) != null;
    if (had) {
      changed.remove(id);
      removed.add(id);
    }
    return had;
  }

  /** Tells the master what happened; remembers it until the master has acknowledged. */
  void heartbeat(ServerMethods master) {
    TSHeartbeatRequestPB.Builder heartbeat =
        TSHeartbeatRequestPB.newBuilder()
            .setInstance(
                NodeInstancePB.newBuilder()
                    .setPermanentUuid(Ids.toWire(uuid))
                    .setInstanceSeqno(run))
            .setLiveTabletCount(replicas.size());
    if (registers) {
      heartbeat.setRegistration(
          ServerRegistrationPB.newBuilder().addRpcAddresses(address(7050)).setStartTime(run));
      heartbeat.setRaftAddress(address(7060));
    }
    boolean full = reportsAll;
    TabletReportPB.Builder report =
        TabletReportPB.newBuilder().setIncremental(!full).setSequence(sequence++);
    for (String id : full ? replicas.keySet() : changed) {
      if (replicas.containsKey(id)) {
        report.addUpdated(report(id));
      }
    }
    if (!full) {
      removed.forEach(id -> report.addRemovedTabletIds(Ids.toWire(id)));
    }
    TSHeartbeatResponsePB answer = master.heartbeat(heartbeat.setTabletReport(report).build());
    if (answer.getLeader() && !answer.getNeedsRegistration() && !cluster.losesAnswer()) {
      changed.clear();
      removed.clear();
      reportsAll = answer.getNeedsFullReport();
      registers = false;
    } else {
      registers |= answer.getNeedsRegistration();
      reportsAll |= answer.getNeedsFullReport();
    }
  }

  private HostPortPB address(int port) {
    return HostPortPB.newBuilder().setHost("ts-" + uuid).setPort(port).build();
  }

  ReportedTabletPB report(String id) {
    Replica replica = replicas.get(id);
    ConsensusStatePB.Builder consensus =
        ConsensusStatePB.newBuilder().setCurrentTerm(1).setCommittedConfig(replica.config);
    String leader = cluster.leaderOf(id, replica);
    if (leader != null) {
      consensus.setLeaderUuid(leader);
    }
    return ReportedTabletPB.newBuilder()
        .setTabletId(Ids.toWire(id))
        .setState(TabletStatePB.RUNNING)
        .setDataState(TabletDataState.TABLET_DATA_READY)
        .setConsensusState(consensus)
        .setSchemaVersion(replica.schemaVersion)
        .setOnDiskSize(1000)
        .setLiveRowCount(10)
        .build();
  }

  boolean leads(String id) {
    Replica replica = replicas.get(id);
    return replica != null && uuid.equals(cluster.leaderOf(id, replica));
  }

  static Set<String> members(RaftConfigPB config) {
    Set<String> uuids = new LinkedHashSet<>();
    for (RaftPeerPB peer : config.getPeersList()) {
      uuids.add(Ids.fromWire(peer.getPermanentUuid()));
    }
    return uuids;
  }
}
