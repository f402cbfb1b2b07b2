package dev.kudu4j.server.replica.members;

import dev.kudu4j.server.replica.members.ConsensusView.Health;

/**
 * Receives a leader's actions and findings about the members of its group, for the server's log.
 */
public interface MembershipListener {
  /** The leader begins a step that nobody has requested, such as a promotion. */
  void stepBegun(String what);

  void stepFailed(Throwable failure);

  /** The leader has found that a member has failed, or that a failed member has recovered. */
  void memberJudged(String serverUuid, Health health, long silentMillis);
}
