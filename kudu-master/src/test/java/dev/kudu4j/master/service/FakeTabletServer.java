package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatResponsePB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.master.catalog.Ids;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A tablet server without tablets: it knows which replicas it has, and heartbeats. What it deleted
 * it does not create again.
 */
final class FakeTabletServer {
  static final class Replica {
    final RaftConfigPB config;
    FakeGroup.View view;

    Replica(CreateTabletRequestPB request, FakeGroup.View view) {
      this.config = request.getConfig();
      this.view = view;
    }
  }

  private final String uuid;
  private final FakeCluster cluster;
  private final Map<String, Replica> replicas = new TreeMap<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private final Set<String> removed = new LinkedHashSet<>();
  private final Set<String> deleted = new HashSet<>();
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
    deleted.clear();
  }

  /** Tells whether the replica is there now. */
  boolean create(CreateTabletRequestPB request) {
    String id = Ids.fromWire(request.getTabletId());
    if (request.getDestInstanceSeqno() != run || deleted.contains(id)) {
      return false;
    }
    FakeGroup group = cluster.groupOf(request);
    replicas.computeIfAbsent(id, any -> new Replica(request, group.now()));
    replicas.get(id).view = group.now(); // which this replica may have given a majority
    removed.remove(id); // a report names a replica as there or as gone, never as both
    changed.add(id);
    return true;
  }

  boolean delete(String id) {
    deleted.add(id);
    boolean had = replicas.remove(id) != null;
    if (had) {
      changed.remove(id);
      removed.add(id);
    }
    return had;
  }

  /** Follows the log of the groups, unless that is slow as well. */
  private void followGroups() {
    replicas.forEach(
        (id, replica) -> {
          FakeGroup.View now = cluster.group(id).now();
          if (!now.equals(replica.view) && !cluster.losesAnswer()) {
            replica.view = now;
            changed.add(id);
          }
        });
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
    followGroups();
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
    FakeGroup.View view = replica.view;
    ConsensusStatePB consensus =
        ConsensusStatePB.newBuilder()
            .setCurrentTerm(view.term())
            .setLeaderUuid(view.leader())
            .setCommittedConfig(replica.config.toBuilder().setOpidIndex(view.configIndex()))
            .build();
    return ReportedTabletPB.newBuilder()
        .setTabletId(Ids.toWire(id))
        .setState(TabletStatePB.RUNNING)
        .setDataState(TabletDataState.TABLET_DATA_READY)
        .setConsensusState(consensus)
        .setSchemaVersion(view.schemaVersion())
        .setOnDiskSize(1000)
        .setLiveRowCount(10)
        .build();
  }

  static Set<String> members(RaftConfigPB config) {
    Set<String> uuids = new LinkedHashSet<>();
    for (RaftPeerPB peer : config.getPeersList()) {
      uuids.add(Ids.fromWire(peer.getPermanentUuid()));
    }
    return uuids;
  }
}
