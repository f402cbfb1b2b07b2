package dev.kudu4j.master.observed;

import dev.kudu4j.master.membership.Group;
import java.util.concurrent.TimeUnit;

/**
 * The change of members that the leader of a tablet was last asked for, and the configuration that
 * it was decided for. As long as the configuration is the same, the leader is asked for the same
 * change, so that a lost response does not add two members.
 *
 * @param term the term of the leader that was asked
 * @param configIndex the log index of the configuration that the change applies to
 * @param subject the server that joins, leaves or becomes leader
 * @param joining whether the subject joins
 * @param accepted whether the leader accepted
 */
public record MembershipRequest(
    long term,
    long configIndex,
    String subject,
    boolean joining,
    boolean accepted,
    long sinceNanos) {
  /** If no report confirms an accepted change within this time, the change is decided anew. */
  private static final long ACCEPTED_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Time after the request during which a joining server is not asked to delete its replica. */
  private static final long JOINING_NANOS = TimeUnit.SECONDS.toNanos(60);

  static MembershipRequest of(
      Group group, String subject, boolean joining, boolean accepted, long nowNanos) {
    return new MembershipRequest(
        group.term(), group.configIndex(), subject, joining, accepted, nowNanos);
  }

  /** Whether the request was made for the group's present configuration (same term and index). */
  public boolean appliesTo(Group group) {
    return term == group.term() && configIndex == group.configIndex();
  }

  /** Whether the leader accepted the change and will report another configuration soon. */
  public boolean isAccepted(Group group, long nowNanos) {
    return accepted && appliesTo(group) && nowNanos - sinceNanos < ACCEPTED_NANOS;
  }

  /** Whether the subject was asked to join this configuration. */
  public boolean isJoining(Group group) {
    return joining && appliesTo(group);
  }

  /** Whether the server was recently asked to join and may soon be a member. */
  public boolean isJoining(String serverUuid, long nowNanos) {
    return joining && subject.equals(serverUuid) && nowNanos - sinceNanos < JOINING_NANOS;
  }
}
