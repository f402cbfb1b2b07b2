package dev.kudu4j.server.replica.members;

import dev.kudu4j.server.replica.members.ConsensusView.Health;

/** Hears of what a leader does about the members of its group, for the log. */
public interface MembershipListener {
  /** The leader begins a step of its own accord, such as a promotion. */
  void stepBegun(String what);

  void stepFailed(Throwable failure);

  /** The leader finds that a member has failed, or that a failed one has recovered. */
  void memberJudged(String serverUuid, Health health, long silentMillis);
}
