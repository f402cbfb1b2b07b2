package dev.kudu4j.master.membership;

/**
 * A member of a tablet's Raft group, as its leader tells.
 *
 * @param voter whether it votes; one that does not is on its way to
 * @param replace whether its group has marked it as on its way out
 */
public record Member(String uuid, boolean voter, boolean replace, Health health) {
  boolean isHealthyVoter() {
    return voter && health == Health.HEALTHY;
  }
}
