package dev.kudu4j.master.service;

import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationResponsePB;
import dev.kudu4j.common.proto.master.ListMastersResponsePB;
import dev.kudu4j.common.proto.master.ServerEntryPB;
import java.util.concurrent.CompletableFuture;

/** Who this master is, and who the others are. Answered by every master at any time. */
final class IdentityMethods {
  private final MasterGroup group;
  private final Leadership leadership;

  IdentityMethods(MasterGroup group, Leadership leadership) {
    this.group = group;
    this.leadership = leadership;
  }

  ConnectToMasterResponsePB connectToMaster() {
    ConnectToMasterResponsePB.Builder answer =
        ConnectToMasterResponsePB.newBuilder().setRole(role()).addAllMasterAddrs(group.addresses());
    if (leadership.clusterId() != null) {
      answer.setClusterId(leadership.clusterId());
    }
    return answer.build();
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
