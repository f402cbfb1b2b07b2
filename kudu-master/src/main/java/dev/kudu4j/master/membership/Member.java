package dev.kudu4j.master.membership;

/**
 * A member of a tablet's Raft group, as its leader reports it.
 *
 * @param voter whether it votes; a learner will vote when it has caught up
 * @param replace whether its group has marked it for replacement
 */
public record Member(String uuid, boolean voter, boolean replace, Health health) {
  boolean isHealthyVoter() {
    return voter && health == Health.HEALTHY;
  }
}
