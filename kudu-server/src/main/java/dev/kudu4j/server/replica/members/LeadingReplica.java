package dev.kudu4j.server.replica.members;

import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.server.replica.members.ConsensusView.Health;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A leading replica, as needed to change the members of its group. Thread-safe. */
public interface LeadingReplica {
  String tabletId();

  /** The term in which the replica leads and takes writes, or {@link RaftMember#NO_TERM}. */
  long term();

  GroupView group();

  /** First index in the log of the replica. */
  long firstLogIndex();

  /** Logs an entry in the term {@code term} only; completes when the entry is applied. */
  CompletableFuture<Void> log(byte[] entry, long term);

  /**
   * Reports that a change of the members begins ({@code true}) or has ended ({@code false}). During
   * the change, this server does not count as the only voter.
   */
  void votersMayChange(boolean underWay);

  /**
   * Transfers the leadership.
   *
   * @param newLeader uuid of the voter; empty for the voter with the highest commit index
   */
  CompletableFuture<Void> transferLeadership(Optional<String> newLeader);

  /** Whether the member has reported that its replica failed. */
  boolean hasReportedFailure(String serverUuid);

  /** Sets the members' health as seen by this leader. */
  void healthChanged(Map<String, Health> health);

  /**
   * Calls the action after each change of role, configuration or state. The action must not block.
   */
  void onChange(Runnable action);

  MembershipListener listener();
}
