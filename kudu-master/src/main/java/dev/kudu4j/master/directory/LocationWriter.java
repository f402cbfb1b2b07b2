package dev.kudu4j.master.directory;

import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.ReplicaTypeFilter;
import dev.kudu4j.common.proto.master.TSInfoPB;
import dev.kudu4j.common.proto.master.TabletLocationsPB;
import dev.kudu4j.common.wire.HostPortWire;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.heartbeat.RegisteredServer;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.observed.ObservedTablets;
import dev.kudu4j.master.observed.TabletStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Writes the tablet locations of one response. In the interned form each server is written once and
 * replicas refer to it by number; otherwise each replica contains its server.
 */
final class LocationWriter {
  private final ObservedTablets observed;
  private final ServerRegistry servers;
  private final boolean votersOnly;
  private final boolean interned;
  private final Consumer<TSInfoPB> internedServers;
  private final Map<String, Integer> indexByUuid = new HashMap<>();

  /**
   * @param internedServers receives the servers of the interned form, in the order of their numbers
   */
  LocationWriter(
      ObservedTablets observed,
      ServerRegistry servers,
      ReplicaTypeFilter filter,
      boolean interned,
      Consumer<TSInfoPB> internedServers) {
    this.observed = observed;
    this.servers = servers;
    this.votersOnly = filter != ReplicaTypeFilter.ANY_REPLICA;
    this.interned = interned;
    this.internedServers = internedServers;
  }

  TabletLocationsPB location(TabletInfo tablet) {
    TabletStatus status = observed.status(tablet.id());
    TabletLocationsPB.Builder location =
        TabletLocationsPB.newBuilder()
            .setTabletId(Ids.toWire(tablet.id()))
            .setDEPRECATEDStale(false)
            .setPartition(tablet.partition());
    for (RaftPeerPB peer : tablet.config().getPeersList()) {
      if (votersOnly && peer.getMemberType() != RaftPeerPB.MemberType.VOTER) {
        continue;
      }
      RaftPeerPB.Role role = TabletDirectory.roleOf(peer, status);
      if (interned) {
        location.addInternedReplicas(internedReplica(tablet, peer, role));
      } else {
        location.addDEPRECATEDReplicas(inlinedReplica(tablet, peer, role));
      }
    }
    return location.build();
  }

  private TabletLocationsPB.InternedReplicaPB internedReplica(
      TabletInfo tablet, RaftPeerPB peer, RaftPeerPB.Role role) {
    TabletLocationsPB.InternedReplicaPB.Builder replica =
        TabletLocationsPB.InternedReplicaPB.newBuilder().setTsInfoIdx(indexOf(peer)).setRole(role);
    if (tablet.entry().hasDimensionLabel()) {
      replica.setDimensionLabel(tablet.entry().getDimensionLabel());
    }
    return replica.build();
  }

  private TabletLocationsPB.DEPRECATED_ReplicaPB inlinedReplica(
      TabletInfo tablet, RaftPeerPB peer, RaftPeerPB.Role role) {
    TabletLocationsPB.DEPRECATED_ReplicaPB.Builder replica =
        TabletLocationsPB.DEPRECATED_ReplicaPB.newBuilder().setTsInfo(serverOf(peer)).setRole(role);
    if (tablet.entry().hasDimensionLabel()) {
      replica.setDimensionLabel(tablet.entry().getDimensionLabel());
    }
    return replica.build();
  }

  private int indexOf(RaftPeerPB peer) {
    return indexByUuid.computeIfAbsent(
        Ids.fromWire(peer.getPermanentUuid()),
        uuid -> {
          internedServers.accept(serverOf(peer));
          return indexByUuid.size();
        });
  }

  /**
   * The server as it has registered. Until it has registered, only its uuid and the address in the
   * tablet's record are known.
   */
  private TSInfoPB serverOf(RaftPeerPB peer) {
    RegisteredServer server = servers.get(Ids.fromWire(peer.getPermanentUuid()));
    if (server != null) {
      return server.info();
    }
    TSInfoPB.Builder info = TSInfoPB.newBuilder().setPermanentUuid(peer.getPermanentUuid());
    if (HostPortWire.isValid(peer.getLastKnownAddr())) { // clients fail on an invalid address
      info.addRpcAddresses(peer.getLastKnownAddr());
    }
    return info.build();
  }
}
