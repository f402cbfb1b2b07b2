package dev.kudu4j.client.cluster;

import dev.kudu4j.client.cluster.RemoteReplica.Role;
import dev.kudu4j.client.cluster.TableTablets.Cover;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.GetTableLocationsResponsePB;
import dev.kudu4j.common.proto.master.TSInfoPB;
import dev.kudu4j.common.proto.master.TabletLocationsPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.PartitionWire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Converts a response of the master to covers: the tablets from a requested partition key on, in
 * order, and the gaps between them.
 *
 * <p>The response starts with the tablet that covers the key, or with the previous one if the key
 * is in a gap. There is a gap between two tablets if the first ends before the second starts. There
 * is a gap before the first tablet if that tablet starts after the key, and after the last tablet
 * if the response has fewer tablets than requested.
 */
final class LocationAnswer {
  private static final byte[] UNBOUNDED = new byte[0];

  private LocationAnswer() {}

  /** A tablet in the response. */
  record ReportedTablet(String tabletId, Partition partition, List<RemoteReplica> replicas) {}

  static List<ReportedTablet> tablets(GetTableLocationsResponsePB answer) {
    List<ReportedTablet> tablets = new ArrayList<>(answer.getTabletLocationsCount());
    for (TabletLocationsPB tablet : answer.getTabletLocationsList()) {
      tablets.add(
          new ReportedTablet(
              tablet.getTabletId().toStringUtf8(),
              PartitionWire.fromWire(tablet.getPartition()),
              replicas(tablet, answer.getTsInfosList())));
    }
    return tablets;
  }

  private static List<RemoteReplica> replicas(TabletLocationsPB tablet, List<TSInfoPB> servers) {
    List<RemoteReplica> replicas = new ArrayList<>();
    for (TabletLocationsPB.InternedReplicaPB replica : tablet.getInternedReplicasList()) {
      if (replica.getTsInfoIdx() >= servers.size()) {
        throw KuduException.of(
            StatusCode.CORRUPTION,
            "The master's response refers to server %d, but has %d servers; replica of tablet %s",
            replica.getTsInfoIdx(),
            servers.size(),
            tablet.getTabletId().toStringUtf8());
      }
      TSInfoPB server = servers.get(replica.getTsInfoIdx());
      add(server, replica.getDimensionLabel(), replica.getRole(), replicas);
    }
    for (TabletLocationsPB.DEPRECATED_ReplicaPB replica : tablet.getDEPRECATEDReplicasList()) {
      add(replica.getTsInfo(), replica.getDimensionLabel(), replica.getRole(), replicas);
    }
    return replicas;
  }

  private static void add(
      TSInfoPB server, String label, RaftPeerPB.Role role, List<RemoteReplica> replicas) {
    if (server.getRpcAddressesCount() == 0 || role == RaftPeerPB.Role.NON_PARTICIPANT) {
      return; // the replica cannot be called
    }
    HostPortPB address = server.getRpcAddresses(0);
    replicas.add(
        RemoteReplica.of(
            server.getPermanentUuid().toStringUtf8(),
            address.getHost(),
            address.getPort(),
            server.getUnixDomainSocketPath(),
            server.getLocation(),
            label,
            role(role)));
  }

  private static Role role(RaftPeerPB.Role wire) {
    return switch (wire) {
      case LEADER -> Role.LEADER;
      case LEARNER -> Role.LEARNER;
      default -> Role.FOLLOWER;
    };
  }

  /**
   * @param reported the tablets of the response
   * @param key the requested key
   * @param isAll whether no tablet follows the last one of the response
   */
  static List<Cover> covers(
      List<ReportedTablet> reported,
      byte[] key,
      boolean isAll,
      Function<ReportedTablet, RemoteTablet> remote) {
    if (reported.isEmpty()) {
      return List.of(new Cover(null, UNBOUNDED, UNBOUNDED));
    }
    List<Cover> covers = new ArrayList<>();
    byte[] first = reported.get(0).partition().start();
    if (Arrays.compareUnsigned(first, key) > 0) {
      covers.add(new Cover(null, UNBOUNDED, first));
    }
    byte[] end = null;
    for (ReportedTablet tablet : reported) {
      Partition partition = tablet.partition();
      if (end != null && Arrays.compareUnsigned(end, partition.start()) < 0) {
        covers.add(new Cover(null, end, partition.start()));
      }
      covers.add(new Cover(remote.apply(tablet), partition.start(), partition.end()));
      end = partition.end();
    }
    if (isAll && end.length > 0) {
      covers.add(new Cover(null, end, UNBOUNDED));
    }
    return covers;
  }
}
