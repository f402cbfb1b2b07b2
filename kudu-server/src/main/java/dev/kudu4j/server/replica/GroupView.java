package dev.kudu4j.server.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;

/** What a replica's Raft knows of the group: members, roles, leader. Asked anew at each call. */
record GroupView(RaftServer.Division division) {
  /** Role, term, leader and members, now. */
  ConsensusView consensus() {
    DivisionInfo info = division.getInfo();
    RaftConfiguration configuration = division.getRaftConf();
    List<ConsensusView.Member> members = new ArrayList<>();
    for (RaftPeer peer : configuration.getCurrentPeers(RaftPeerRole.FOLLOWER)) {
      members.add(member(peer, true));
    }
    for (RaftPeer peer : configuration.getCurrentPeers(RaftPeerRole.LISTENER)) {
      members.add(member(peer, false));
    }
    return new ConsensusView(
        role(info, configuration),
        info.getCurrentTerm(),
        leaderUuid().orElse(""),
        configuration.getLogEntryIndex(),
        List.copyOf(members));
  }

  private static ConsensusView.Member member(RaftPeer peer, boolean voter) {
    return new ConsensusView.Member(
        peer.getId().toString(), peer.getAddress(), peer.getClientAddress(), voter);
  }

  private ConsensusView.Role role(DivisionInfo info, RaftConfiguration configuration) {
    if (configuration.getPeer(division.getId(), RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER)
        == null) {
      return ConsensusView.Role.NON_PARTICIPANT;
    }
    return switch (info.getCurrentRole()) {
      case LEADER -> ConsensusView.Role.LEADER;
      case LISTENER -> ConsensusView.Role.LEARNER;
      default -> ConsensusView.Role.FOLLOWER;
    };
  }

  /** Whether there is nobody else whose vote counts. */
  boolean isAlone() {
    return division.getRaftConf().getAllPeers(RaftPeerRole.FOLLOWER).size() == 1;
  }

  /** Who votes in the group besides this server. */
  List<String> otherVoters() {
    List<String> others = new ArrayList<>();
    for (RaftPeer peer : division.getRaftConf().getCurrentPeers(RaftPeerRole.FOLLOWER)) {
      if (!peer.getId().equals(division.getId())) {
        others.add(peer.getId().toString());
      }
    }
    return others;
  }

  /** The leader's server, or empty when none is known. */
  Optional<String> leaderUuid() {
    return Optional.ofNullable(division.getInfo().getLeaderId()).map(Object::toString);
  }
}
