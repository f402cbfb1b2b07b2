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

  /** First index in its log. */
  long firstLogIndex();

  /** Logs an entry in this term or not at all; completes when the entry is applied. */
  CompletableFuture<Void> log(byte[] entry, long term);

  /** The group may have other voters from a call with true until a call with false. */
  void votersMayChange(boolean underWay);

  /**
   * Transfers the leadership.
   *
   * @param newLeader uuid of the voter; empty for the one that has most of the log
   */
  CompletableFuture<Void> transferLeadership(Optional<String> newLeader);

  /** Whether the member has reported that its replica failed. */
  boolean hasReportedFailure(String serverUuid);

  /** Sets the members' health as seen by this leader. */
  void healthChanged(Map<String, Health> health);

  /** Calls the action after each change of role, configuration or state. It must not block. */
  void onChange(Runnable action);

  MembershipListener listener();
}
