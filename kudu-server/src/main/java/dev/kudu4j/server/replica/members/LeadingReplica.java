package dev.kudu4j.server.replica.members;

import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.server.replica.members.ConsensusView.Health;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A replica as those see it that change its group, while it leads. Thread-safe. */
public interface LeadingReplica {
  String tabletId();

  /** The term in which the replica leads and takes writes, or {@link RaftMember#NO_TERM}. */
  long term();

  GroupView group();

  /** First index that its log still holds. */
  long firstLogIndex();

  /** Logs an entry in that term or not at all; completes when the entry is applied. */
  CompletableFuture<Void> log(byte[] entry, long term);

  /** From now on, until the same is called with false, there may be other voters. */
  void votersMayChange(boolean underWay);

  /**
   * Transfers the leadership.
   *
   * @param newLeader its server; empty for the one that has most of the log
   */
  CompletableFuture<Void> transferLeadership(Optional<String> newLeader);

  /** Whether the member has reported that its replica failed. */
  boolean hasReportedFailure(String serverUuid);

  /** Takes the members' health as their leader sees it. */
  void healthChanged(Map<String, Health> health);

  /** Calls the action after each change of role, configuration or state. It must not block. */
  void onChange(Runnable action);

  MembershipListener listener();
}
