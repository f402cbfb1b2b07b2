package dev.kudu4j.server.replica.members;

import dev.kudu4j.server.raft.CommittedConfiguration;
import dev.kudu4j.server.raft.GroupPeer;
import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.server.replica.members.ConsensusView.Health;
import dev.kudu4j.server.replica.members.ConsensusView.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A replica's view of its group: members, roles, leader. The methods of {@code raft} return present
 * values; the other components are as of the creation of this view.
 *
 * @param raft this server's member of the Raft group
 * @param committed Raft's committed configuration
 * @param notes notes on members, as applied
 * @param notesIndex log index of the notes' last change in this process, or -1
 * @param health health of the members as seen by the leader; empty on other members
 */
public record GroupView(
    RaftMember raft,
    CommittedConfiguration committed,
    MemberNotes notes,
    long notesIndex,
    Map<String, Health> health) {
  /** Increased by each change of configuration or notes, and by each election. */
  public long configurationIndex() {
    return Math.max(committed.index(), notesIndex);
  }

  /** The current role, term, leader and members. */
  public ConsensusView consensus() {
    List<Member> members = members(committed);
    for (MemberNotes.Note note : notes.byServer().values()) {
      if (note.joining() && !committed.contains(note.serverUuid())) {
        members.add(member(note.serverUuid(), "", note.rpcAddress(), false));
      }
    }
    return new ConsensusView(
        role(),
        raft.currentTerm(),
        raft.leaderUuid().orElse(""),
        configurationIndex(),
        List.copyOf(members),
        pending());
  }

  private List<Member> pending() {
    CommittedConfiguration latest = raft.latestConfiguration();
    return committed.hasSameMembers(latest.voters(), latest.listeners())
        ? List.of()
        : List.copyOf(members(latest));
  }

  private List<Member> members(CommittedConfiguration configuration) {
    List<Member> members = new ArrayList<>();
    configuration.voters().forEach(peer -> members.add(member(peer, true)));
    configuration.listeners().forEach(peer -> members.add(member(peer, false)));
    return members;
  }

  private Member member(GroupPeer peer, boolean voter) {
    return member(peer.serverUuid(), peer.raftAddress(), peer.rpcAddress(), voter);
  }

  private Member member(
      String uuid, String raftAddress, @Nullable String rpcAddress, boolean voter) {
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

  private ConsensusView.Role role() {
    String self = raft.serverUuid();
    if (!committed.contains(self)) {
      return ConsensusView.Role.NON_PARTICIPANT;
    }
    return switch (raft.role()) {
      case LEADER -> ConsensusView.Role.LEADER;
      case LISTENER -> ConsensusView.Role.LEARNER;
      default -> committed.isVoter(self) ? ConsensusView.Role.FOLLOWER : ConsensusView.Role.LEARNER;
    };
  }

  /** Whether a change of Raft's configuration has begun and is not complete. */
  public boolean isChanging() {
    return raft.isChangingFrom(committed);
  }

  /**
   * Whether no server is joining the group. If a server is joining, any part of the log may still
   * be needed.
   */
  public boolean isJoinedByAll() {
    return notes.byServer().values().stream()
        .noneMatch(note -> note.joining() && !committed.contains(note.serverUuid()));
  }
}
