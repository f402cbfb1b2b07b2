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
import dev.kudu4j.common.proto.index.IndexProgressPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.master.catalog.Ids;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A tablet server without tablets: it keeps a list of its replicas, and sends heartbeats. It never
 * creates a replica again that it has deleted.
 */
final class FakeTabletServer {
  static final class Replica {
    final boolean copied;
    FakeGroup.View view;

    Replica(boolean copied, FakeGroup.View view) {
      this.copied = copied;
      this.view = view;
    }
  }

  private final String uuid;
  private final FakeCluster cluster;
  private final Map<String, Replica> replicas = new TreeMap<>();
  private final Set<String> tombstones = new TreeSet<>();
  private final Set<String> had = new HashSet<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private final Set<String> removed = new LinkedHashSet<>();
  private final Set<String> deleted = new HashSet<>();
  private final Map<String, List<IndexProgressPB>> indexes = new HashMap<>();
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

  Set<String> tombstones() {
    return tombstones;
  }

  /** Whether it has never had a replica, so that one may still be created. */
  boolean hasLeftToCreate(String id) {
    return !had.contains(id);
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

  /** Returns whether the replica exists now. */
  boolean create(CreateTabletRequestPB request) {
    String id = Ids.fromWire(request.getTabletId());
    if (request.getDestInstanceSeqno() != run || deleted.contains(id)) {
      return false;
    }
    FakeGroup group = cluster.groupOf(request);
    replicas.computeIfAbsent(id, any -> new Replica(false, group.now()));
    had.add(id);
    if (group.isMember(uuid)) {
      replicas.get(id).view = group.now(); // this replica may have completed a majority
    }
    removed.remove(id); // a report names a replica as present or as deleted, never as both
    changed.add(id);
    return true;
  }

  /** The replica is complete: it has everything that the group's leader has. */
  void copied(String id, FakeGroup group) {
    tombstones.remove(id);
    had.add(id);
    replicas.put(id, new Replica(true, group.now()));
    replicas.get(id).view = group.now(); // the view in which it counts
    removed.remove(id);
    changed.add(id);
  }

  boolean delete(String id) {
    deleted.add(id);
    boolean wasReplica = replicas.remove(id) != null;
    boolean there = tombstones.remove(id) || wasReplica;
    if (there) {
      changed.remove(id);
      removed.add(id);
    }
    return there;
  }

  boolean has(String id) {
    return replicas.containsKey(id) || tombstones.contains(id);
  }

  /** Returns whether the replica knows no later configuration. */
  boolean bury(String id, long configIndex) {
    Replica replica = replicas.get(id);
    if (replica != null && replica.view.configIndex() > configIndex) {
      return false;
    }
    deleted.add(id); // a request to create it may still be in flight
    if (replicas.remove(id) != null) {
      tombstones.add(id);
      changed.add(id);
    }
    return true;
  }

  /** The replica has built so much of its indexes. */
  void built(String id, IndexProgressPB... progress) {
    indexes.put(id, List.of(progress));
    changed.add(id);
  }

  /** The replica has followed the log of its group up to this view. */
  void learn(String id, FakeGroup.View view) {
    replicas.get(id).view = view;
    changed.add(id);
  }

  /** Follows the log of the groups, which may be slow too. */
  private void followGroups() {
    replicas.forEach(
        (id, replica) -> {
          FakeGroup group = cluster.group(id);
          FakeGroup.View now = group.now();
          if (group.isMember(uuid) && !now.equals(replica.view) && !cluster.losesAnswer()) {
            learn(id, now);
          }
        });
  }

  /** Reports the changes to the master; keeps them until the master has acknowledged. */
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
    for (String id : full ? all() : changed) {
      if (has(id)) {
        report.addUpdated(report(id));
      }
    }
    if (!full) {
      removed.forEach(id -> report.addRemovedTabletIds(Ids.toWire(id)));
    }
    TSHeartbeatResponsePB answer =
        master.heartbeat(
            heartbeat.setTabletReport(report).build(), InetAddress.getLoopbackAddress());
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

  private Set<String> all() {
    Set<String> all = new TreeSet<>(replicas.keySet());
    all.addAll(tombstones);
    return all;
  }

  private HostPortPB address(int port) {
    return HostPortPB.newBuilder().setHost("ts-" + uuid).setPort(port).build();
  }

  ReportedTabletPB report(String id) {
    if (tombstones.contains(id)) {
      return ReportedTabletPB.newBuilder()
          .setTabletId(Ids.toWire(id))
          .setState(TabletStatePB.STOPPED)
          .setDataState(TabletDataState.TABLET_DATA_TOMBSTONED)
          .build();
    }
    FakeGroup.View view = replicas.get(id).view;
    ConsensusStatePB consensus =
        ConsensusStatePB.newBuilder()
            .setCurrentTerm(view.term())
            .setLeaderUuid(view.leader())
            .setCommittedConfig(view.config())
            .build();
    return ReportedTabletPB.newBuilder()
        .setTabletId(Ids.toWire(id))
        .setState(TabletStatePB.RUNNING)
        .setDataState(TabletDataState.TABLET_DATA_READY)
        .setConsensusState(consensus)
        .setSchemaVersion(view.schemaVersion())
        .setOnDiskSize(1000)
        .setLiveRowCount(10)
        .addAllIndexes(indexes.getOrDefault(id, List.of()))
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
