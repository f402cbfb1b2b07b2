package dev.kudu4j.server.replica;

import dev.kudu4j.server.replica.ConsensusView.Health;
import dev.kudu4j.server.replica.ConsensusView.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;

/**
 * What a replica knows of its group: members, roles, leader. What is asked of the division is as it
 * is at the moment of the question.
 *
 * @param agreed Raft's configuration as a majority has it
 * @param notes on members, as applied
 * @param notesIndex log index of the notes' last change in this process, or -1
 * @param health of the members as the leader sees them; empty elsewhere
 */
record GroupView(
    RaftServer.Division division,
    AgreedConfiguration agreed,
    MemberNotes notes,
    long notesIndex,
    Map<String, Health> health) {
  /**
   * Another member, as the leader hears from it.
   *
   * @param silentMillis since it was heard from; since the term began when it was not
   * @param matchIndex up to which it has the log; -1 when that is not known
   */
  record Follower(String serverUuid, long silentMillis, long matchIndex) {}

  /** Raised by each change of configuration or notes, and by an election. */
  long configurationIndex() {
    return Math.max(agreed.index(), notesIndex);
  }

  /** Role, term, leader and members, now. */
  ConsensusView consensus() {
    DivisionInfo info = division.getInfo();
    List<Member> members = members(agreed.voters(), agreed.listeners());
    for (MemberNotes.Note note : notes.byServer().values()) {
      if (note.joining() && !agreed.contains(note.serverUuid())) {
        members.add(member(note.serverUuid(), "", note.rpcAddress(), false));
      }
    }
    return new ConsensusView(
        role(info),
        info.getCurrentTerm(),
        leaderUuid().orElse(""),
        configurationIndex(),
        List.copyOf(members),
        pending());
  }

  private List<Member> pending() {
    RaftConfiguration latest = division.getRaftConf();
    Collection<RaftPeer> voters = latest.getCurrentPeers(RaftPeerRole.FOLLOWER);
    Collection<RaftPeer> listeners = latest.getCurrentPeers(RaftPeerRole.LISTENER);
    boolean same =
        Set.copyOf(voters).equals(Set.copyOf(agreed.voters()))
            && Set.copyOf(listeners).equals(Set.copyOf(agreed.listeners()));
    return same ? List.of() : List.copyOf(members(voters, listeners));
  }

  private List<Member> members(Collection<RaftPeer> voters, Collection<RaftPeer> listeners) {
    List<Member> members = new ArrayList<>();
    voters.forEach(peer -> members.add(member(peer, true)));
    listeners.forEach(peer -> members.add(member(peer, false)));
    return members;
  }

  private Member member(RaftPeer peer, boolean voter) {
    return member(peer.getId().toString(), peer.getAddress(), peer.getClientAddress(), voter);
  }

  private Member member(String uuid, String raftAddress, String rpcAddress, boolean voter) {
    MemberNotes.Note note = notes.find(uuid).orElse(MemberNotes.Note.none(uuid));
    return new Member(
        uuid,
        raftAddress,
        rpcAddress,
        voter,
        note.promote() && !voter,
        note.replace(),
        health.getOrDefault(uuid, Health.UNKNOWN));
  }

  private ConsensusView.Role role(DivisionInfo info) {
    String self = division.getId().toString();
    if (!agreed.contains(self)) {
      return ConsensusView.Role.NON_PARTICIPANT;
    }
    return switch (info.getCurrentRole()) {
      case LEADER -> ConsensusView.Role.LEADER;
      case LISTENER -> ConsensusView.Role.LEARNER;
      default -> agreed.isVoter(self) ? ConsensusView.Role.FOLLOWER : ConsensusView.Role.LEARNER;
    };
  }

  /** Whether a change of Raft's configuration has been begun and not completed. */
  boolean isChanging() {
    return !division.getRaftConf().getPreviousPeers(RaftPeerRole.FOLLOWER).isEmpty()
        || division.getRaftConf().getLogEntryIndex() > agreed.index();
  }

  /** Whether nobody is on the way into the group, who may need any log. */
  boolean isJoinedByAll() {
    return notes.byServer().values().stream()
        .noneMatch(note -> note.joining() && !agreed.contains(note.serverUuid()));
  }

  /** Whether there is nobody else whose vote counts. */
  boolean isAlone() {
    List<RaftPeer> voters = List.copyOf(division.getRaftConf().getAllPeers(RaftPeerRole.FOLLOWER));
    return voters.size() == 1 && voters.get(0).getId().equals(division.getId());
  }

  /** The other servers that get the log, also those that are on their way in or out. */
  List<RaftPeer> others() {
    List<RaftPeer> others = new ArrayList<>();
    for (RaftPeerRole role : List.of(RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER)) {
      for (RaftPeer peer : division.getRaftConf().getAllPeers(role)) {
        if (!peer.getId().equals(division.getId()) && !others.contains(peer)) {
          others.add(peer);
        }
      }
    }
    return others;
  }

  /** Who votes besides this server, also those who do so only until a change is completed. */
  List<String> otherVoters() {
    List<String> others = new ArrayList<>();
    for (RaftPeer peer : division.getRaftConf().getAllPeers(RaftPeerRole.FOLLOWER)) {
      if (!peer.getId().equals(division.getId())) {
        others.add(peer.getId().toString());
      }
    }
    return others;
  }

  /** The sets of voters of which a majority each is needed: one, or two during a change. */
  List<Set<String>> electorates() {
    RaftConfiguration latest = division.getRaftConf();
    Set<String> now = uuids(latest.getCurrentPeers(RaftPeerRole.FOLLOWER));
    Set<String> before = uuids(latest.getPreviousPeers(RaftPeerRole.FOLLOWER));
    return before.isEmpty() ? List.of(now) : List.of(now, before);
  }

  private static Set<String> uuids(Collection<RaftPeer> peers) {
    Set<String> uuids = new HashSet<>();
    peers.forEach(peer -> uuids.add(peer.getId().toString()));
    return uuids;
  }

  /**
   * The others as this leader hears from them. Empty when it does not lead, and at a moment when
   * they change: Ratis tells names and log indexes apart from each other, in the same order.
   */
  List<Follower> followers() {
    List<ServerRpcProto> before = followerInfos();
    long[] matches = division.getInfo().getFollowerMatchIndices();
    List<ServerRpcProto> after = followerInfos();
    if (matches == null || matches.length != before.size() || !sameServers(before, after)) {
      return List.of();
    }
    List<Follower> followers = new ArrayList<>();
    for (int i = 0; i < matches.length; i++) {
      followers.add(
          new Follower(
              before.get(i).getId().getId().toStringUtf8(),
              before.get(i).getLastRpcElapsedTimeMs(),
              matches[i]));
    }
    return followers;
  }

  private List<ServerRpcProto> followerInfos() {
    return division.getInfo().isLeader()
        ? division.getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList()
        : List.of();
  }

  private static boolean sameServers(List<ServerRpcProto> before, List<ServerRpcProto> after) {
    if (before.size() != after.size()) {
      return false;
    }
    for (int i = 0; i < before.size(); i++) {
      if (!before.get(i).getId().getId().equals(after.get(i).getId().getId())) {
        return false;
      }
    }
    return true;
  }

  /** Time since this follower heard from its leader, in milliseconds; 0 when there is none. */
  long leaderSilentMillis() {
    return division
        .getInfo()
        .getRoleInfoProto()
        .getFollowerInfo()
        .getLeaderInfo()
        .getLastRpcElapsedTimeMs();
  }

  /** The leader's server, or empty when none is known. */
  Optional<String> leaderUuid() {
    return Optional.ofNullable(division.getInfo().getLeaderId()).map(Object::toString);
  }
}
