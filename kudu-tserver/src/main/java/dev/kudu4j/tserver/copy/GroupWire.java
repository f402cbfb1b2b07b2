package dev.kudu4j.tserver.copy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.rpc.PeerWire;
import dev.kudu4j.server.rpc.ServerIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A Raft group on the wire, with the addresses that a new member needs. */
final class GroupWire {
  private GroupWire() {}

  static ConsensusStatePB toWire(ConsensusView view) {
    RaftConfigPB.Builder config = RaftConfigPB.newBuilder().setOpidIndex(view.configurationIndex());
    view.members().forEach(member -> config.addPeers(toWire(member)));
    return ConsensusStatePB.newBuilder()
        .setCurrentTerm(view.term())
        .setLeaderUuid(view.leaderUuid())
        .setCommittedConfig(config)
        .build();
  }

  private static RaftPeerPB toWire(ConsensusView.Member member) {
    RaftPeerPB.Builder peer =
        RaftPeerPB.newBuilder()
            .setPermanentUuid(ByteString.copyFromUtf8(member.serverUuid()))
            .setMemberType(
                member.voter() ? RaftPeerPB.MemberType.VOTER : RaftPeerPB.MemberType.NON_VOTER);
    address(member.raftAddress()).ifPresent(peer::setRaftAddr);
    address(member.rpcAddress()).ifPresent(peer::setLastKnownAddr);
    return peer.build();
  }

  private static Optional<HostPortPB> address(@Nullable String recorded) {
    return Optional.ofNullable(recorded).flatMap(HostPort::recorded).map(ServerIdentity::toWire);
  }

  /**
   * The voters except {@code serverUuid}, as peers for Raft.
   *
   * @throws dev.kudu4j.common.status.KuduException INVALID_ARGUMENT for a voter without a usable
   *     address
   */
  static List<RaftHost.Peer> votersBut(String serverUuid, ConsensusStatePB group) {
    List<RaftPeerPB> voters = new ArrayList<>();
    for (RaftPeerPB peer : group.getCommittedConfig().getPeersList()) {
      String uuid = peer.getPermanentUuid().toStringUtf8();
      if (!uuid.equals(serverUuid) && peer.getMemberType() == RaftPeerPB.MemberType.VOTER) {
        voters.add(peer);
      }
    }
    return PeerWire.members("initial_cstate", voters);
  }
}
