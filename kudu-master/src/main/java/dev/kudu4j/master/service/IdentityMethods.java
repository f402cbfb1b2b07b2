package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationResponsePB;
import dev.kudu4j.common.proto.master.ListMastersResponsePB;
import dev.kudu4j.common.proto.master.ServerEntryPB;
import dev.kudu4j.master.heartbeat.Locations;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * RPC methods that return the identity of this master and of the other masters. Every master serves
 * them at any time, leader or not.
 */
final class IdentityMethods {
  private static final long LOCATION_PATIENCE_MILLIS = 1_000;

  private final MasterGroup group;
  private final MasterLeadership leadership;
  private final Locations locations;

  /**
   * @param locations finds the locations of clients
   */
  IdentityMethods(MasterGroup group, MasterLeadership leadership, Locations locations) {
    this.group = group;
    this.leadership = leadership;
    this.locations = locations;
  }

  /** The response lacks the client's location if that is not known within a second. */
  CompletableFuture<ConnectToMasterResponsePB> connectToMaster(InetSocketAddress client) {
    ConnectToMasterResponsePB.Builder answer =
        ConnectToMasterResponsePB.newBuilder().setRole(role()).addAllMasterAddrs(group.addresses());
    if (leadership.clusterId() != null) {
      answer.setClusterId(leadership.clusterId());
    }
    return locations
        .locate(client.getAddress().getHostAddress())
        .copy() // the original look-up still completes, and its result is cached
        .completeOnTimeout(Locations.NOWHERE, LOCATION_PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
        .exceptionally(failure -> Locations.NOWHERE)
        .thenApply(
            location ->
                location.equals(Locations.NOWHERE)
                    ? answer.build()
                    : answer.setClientLocation(location).build());
  }

  GetMasterRegistrationResponsePB getMasterRegistration() {
    GetMasterRegistrationResponsePB.Builder answer =
        GetMasterRegistrationResponsePB.newBuilder()
            .setInstanceId(group.instance())
            .setRegistration(group.registration())
            .setRole(role())
            .setMemberType(RaftPeerPB.MemberType.VOTER);
    if (leadership.clusterId() != null) {
      answer.setClusterId(leadership.clusterId());
    }
    return answer.build();
  }

  CompletableFuture<ListMastersResponsePB> listMasters() {
    return group
        .others()
        .thenApply(
            others ->
                ListMastersResponsePB.newBuilder()
                    .addMasters(self())
                    .addAllMasters(others)
                    .build());
  }

  private ServerEntryPB self() {
    ServerEntryPB.Builder entry =
        ServerEntryPB.newBuilder()
            .setInstanceId(group.instance())
            .setRegistration(group.registration())
            .setRole(role())
            .setMemberType(RaftPeerPB.MemberType.VOTER);
    if (leadership.clusterId() != null) {
      entry.setClusterId(leadership.clusterId());
    }
    return entry.build();
  }

  private RaftPeerPB.Role role() {
    return leadership.isLeading() ? RaftPeerPB.Role.LEADER : RaftPeerPB.Role.FOLLOWER;
  }
}
