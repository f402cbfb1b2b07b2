package dev.kudu4j.server.rpc;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.HealthReportPB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerAttrsPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.replica.members.ConsensusView;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Converts a replica's view of its group to the protocol's message. */
public final class ConsensusWire {
  private ConsensusWire() {}

  /**
   * @param withHealth whether to include the health of the members; has no effect unless the view
   *     is a leader's
   * @param rpcAddress returns the RPC address of a member; empty if unknown
   */
  public static ConsensusStatePB toWire(
      ConsensusView view,
      boolean withHealth,
      Function<ConsensusView.Member, Optional<HostPort>> rpcAddress) {
    boolean health = withHealth && view.isLeader();
    ConsensusStatePB.Builder state =
        ConsensusStatePB.newBuilder()
            .setCurrentTerm(view.term())
            .setLeaderUuid(view.leaderUuid())
            .setCommittedConfig(
                configuration(view.members(), health, rpcAddress)
                    .setOpidIndex(view.configurationIndex()));
    if (!view.pending().isEmpty()) {
      state.setPendingConfig(configuration(view.pending(), false, rpcAddress));
    }
    return state.build();
  }

  private static RaftConfigPB.Builder configuration(
      List<ConsensusView.Member> members,
      boolean health,
      Function<ConsensusView.Member, Optional<HostPort>> rpcAddress) {
    RaftConfigPB.Builder configuration = RaftConfigPB.newBuilder();
    for (ConsensusView.Member member : members) {
      RaftPeerPB.Builder peer = peer(member);
      rpcAddress
          .apply(member)
          .ifPresent(address -> peer.setLastKnownAddr(ServerIdentity.toWire(address)));
      if (health) {
        peer.setHealthReport(HealthReportPB.newBuilder().setOverallHealth(toWire(member.health())));
      }
      configuration.addPeers(peer);
    }
    return configuration;
  }

  private static RaftPeerPB.Builder peer(ConsensusView.Member member) {
    RaftPeerPB.Builder peer =
        RaftPeerPB.newBuilder()
            .setPermanentUuid(ByteString.copyFromUtf8(member.serverUuid()))
            .setMemberType(
                member.voter() ? RaftPeerPB.MemberType.VOTER : RaftPeerPB.MemberType.NON_VOTER);
    if (member.promote() || member.replace()) {
      peer.setAttrs(
          RaftPeerAttrsPB.newBuilder().setPromote(member.promote()).setReplace(member.replace()));
    }
    HostPort.recorded(member.raftAddress()) // an invalid address is omitted
        .ifPresent(address -> peer.setRaftAddr(ServerIdentity.toWire(address)));
    return peer;
  }

  private static HealthReportPB.HealthStatus toWire(ConsensusView.Health health) {
    return switch (health) {
      case UNKNOWN -> HealthReportPB.HealthStatus.UNKNOWN;
      case HEALTHY -> HealthReportPB.HealthStatus.HEALTHY;
      case FAILED -> HealthReportPB.HealthStatus.FAILED;
      case FAILED_UNRECOVERABLE -> HealthReportPB.HealthStatus.FAILED_UNRECOVERABLE;
    };
  }
}
