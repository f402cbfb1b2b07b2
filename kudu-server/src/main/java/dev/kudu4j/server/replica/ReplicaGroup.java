package dev.kudu4j.server.replica;

import dev.kudu4j.server.raft.CommittedConfiguration;
import dev.kudu4j.server.raft.GroupPeer;
import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.replica.members.GroupView;
import dev.kudu4j.server.replica.members.MemberNotes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A replica's view of its group: its member of the Raft group, the committed configuration, and the
 * notes on members that it has applied. Thread-safe.
 */
final class ReplicaGroup {
  private final ReplicaState state;
  private final Supplier<Map<String, ConsensusView.Health>> health;
  private final AtomicReference<@Nullable CommittedConfiguration> committed =
      new AtomicReference<>();
  private volatile @Nullable RaftMember raft; // null until the group starts
  private volatile MemberNotes notes;
  private volatile long notesIndex = -1;

  /**
   * @param state holds the notes
   * @param health health of the members as seen by the leader; empty on other members
   */
  ReplicaGroup(ReplicaState state, Supplier<Map<String, ConsensusView.Health>> health) {
    this.state = state;
    this.health = health;
    this.notes = decodeNotes();
  }

  private MemberNotes decodeNotes() {
    return MemberNotes.decode(state.attribute(MemberNotes.ATTRIBUTE));
  }

  /** Sets the member before the Raft group starts and reports events. */
  void starting(RaftMember member) {
    raft = member;
  }

  /**
   * Sets the member once the Raft group has started. If Raft has already reported a committed
   * configuration, that configuration is kept.
   */
  void started(RaftMember member) {
    committed.compareAndSet(null, member.initialConfiguration());
    raft = member;
  }

  /** The member of the Raft group. Call it only after the group has started. */
  RaftMember raft() {
    return Objects.requireNonNull(raft, "the Raft group has not started");
  }

  /** The member of the Raft group; null until the group starts. */
  @Nullable RaftMember raftIfStarted() {
    return raft;
  }

  private CommittedConfiguration committed() {
    return Objects.requireNonNull(committed.get(), "the Raft group has not started");
  }

  boolean isCandidate() {
    RaftMember running = raft;
    return running != null && running.isCandidate();
  }

  /** Whether this server is the only voter. */
  boolean isOnlyVoter() {
    RaftMember running = raft;
    return running == null ? committed().voters().size() == 1 : running.isOnlyVoter();
  }

  GroupView view() {
    return new GroupView(raft(), committed(), notes, notesIndex, health.get());
  }

  /** The other servers that have a replica, by uuid, with their RPC addresses. */
  Map<String, String> others() {
    Map<String, String> others = new HashMap<>();
    for (GroupPeer peer : raft().others()) {
      others.put(peer.serverUuid(), peer.rpcAddress() == null ? "" : peer.rpcAddress());
    }
    return others;
  }

  /** Sets the committed configuration; returns the previous one, or null if this is the first. */
  @Nullable CommittedConfiguration configurationCommitted(CommittedConfiguration configuration) {
    return committed.getAndSet(configuration);
  }

  /** Reads the notes again: the log entry with this index has changed them. */
  void notesChanged(long index) {
    notes = decodeNotes();
    notesIndex = index;
  }
}
