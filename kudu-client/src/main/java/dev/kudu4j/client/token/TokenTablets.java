package dev.kudu4j.client.token;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.common.proto.client.ServerMetadataPB;
import dev.kudu4j.common.proto.client.TabletMetadataPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.PartitionWire;
import java.util.ArrayList;
import java.util.List;

/** Writes the locations of a tablet to a scan token, and reads them from a scan token. */
public final class TokenTablets {
  /** How long a reader may rely on the locations in a token. */
  private static final long TTL_MILLIS = 300_000;

  private TokenTablets() {}

  static TabletMetadataPB toWire(RemoteTablet tablet) {
    TabletMetadataPB.Builder message =
        TabletMetadataPB.newBuilder()
            .setTabletId(tablet.tabletId())
            .setPartition(PartitionWire.toWire(tablet.partition()))
            .setTtlMillis(TTL_MILLIS);
    List<RemoteReplica> replicas = tablet.replicas();
    for (int i = 0; i < replicas.size(); i++) {
      RemoteReplica replica = replicas.get(i);
      message.addTabletServers(server(replica));
      TabletMetadataPB.ReplicaMetadataPB.Builder entry =
          message
              .addReplicasBuilder()
              .setTsIdx(i)
              .setRole(RaftPeerPB.Role.valueOf(replica.role().name()));
      if (!replica.label().isEmpty()) {
        entry.setDimensionLabel(replica.label());
      }
    }
    return message.build();
  }

  private static ServerMetadataPB server(RemoteReplica replica) {
    return ServerMetadataPB.newBuilder()
        .setUuid(ByteString.copyFromUtf8(replica.serverId()))
        .addRpcAddresses(HostPortPB.newBuilder().setHost(replica.host()).setPort(replica.port()))
        .setLocation(replica.location())
        .setUnixDomainSocketPath(replica.localSocket())
        .build();
  }

  /**
   * Adds a tablet's locations to the client's cache.
   *
   * @throws KuduException CORRUPTION if a replica refers to a server that the token does not
   *     contain
   */
  public static void remember(TabletMetadataPB tablet, TableTablets tablets) {
    List<RemoteReplica> replicas = new ArrayList<>();
    for (TabletMetadataPB.ReplicaMetadataPB replica : tablet.getReplicasList()) {
      if (replica.getTsIdx() >= tablet.getTabletServersCount()) {
        throw KuduException.corruption(
            "Scan token refers to server %d, but has %d servers",
            replica.getTsIdx(), tablet.getTabletServersCount());
      }
      ServerMetadataPB server = tablet.getTabletServers(replica.getTsIdx());
      if (server.getRpcAddressesCount() > 0) {
        replicas.add(
            RemoteReplica.of(
                server.getUuid().toStringUtf8(),
                server.getRpcAddresses(0).getHost(),
                server.getRpcAddresses(0).getPort(),
                server.getUnixDomainSocketPath(),
                server.getLocation(),
                replica.getDimensionLabel(),
                role(replica)));
      }
    }
    if (!replicas.isEmpty()) {
      tablets.remember(
          tablet.getTabletId(),
          PartitionWire.fromWire(tablet.getPartition()),
          replicas,
          tablet.hasTtlMillis() ? tablet.getTtlMillis() : TTL_MILLIS);
    }
  }

  private static RemoteReplica.Role role(TabletMetadataPB.ReplicaMetadataPB replica) {
    return switch (replica.getRole()) {
      case LEADER -> RemoteReplica.Role.LEADER;
      case LEARNER -> RemoteReplica.Role.LEARNER;
      default -> RemoteReplica.Role.FOLLOWER;
    };
  }
}
