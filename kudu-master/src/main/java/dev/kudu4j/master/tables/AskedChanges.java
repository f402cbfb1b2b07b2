package dev.kudu4j.master.tables;

import dev.kudu4j.master.membership.Group;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The change of members that the leader of each tablet was asked for last, and for which of its
 * configurations. Asked again about the same configuration, it is asked for the same, so that a
 * lost answer does not make two new members.
 *
 * <p>Not stored: a new master asks anew, and the leader compares configurations.
 *
 * <p>Thread-safe.
 */
final class AskedChanges {
  /** After that an answer that promised a change is no longer believed. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** For so long a server that was to join is not asked to delete what it has. */
  private static final long JOINING_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Map<String, Asked> last = new ConcurrentHashMap<>();
  private final LongSupplier nanoClock;

  /**
   * @param subject the server that is to join, to go or to lead
   */
  private record Asked(
      long term, long configIndex, String subject, boolean joining, boolean agreed, long nanos) {
    boolean isAbout(Group group) {
      return term == group.term() && configIndex == group.configIndex();
    }
  }

  AskedChanges(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  void asked(String tabletId, Group group, String subject, boolean joining) {
    put(tabletId, group, subject, joining, false);
  }

  /** The leader has agreed; it will tell another configuration soon. */
  void agreed(String tabletId, Group group, String subject, boolean joining) {
    put(tabletId, group, subject, joining, true);
  }

  private void put(String tabletId, Group group, String subject, boolean joining, boolean agreed) {
    last.put(
        tabletId,
        new Asked(
            group.term(), group.configIndex(), subject, joining, agreed, nanoClock.getAsLong()));
  }

  /** Whether news of the group should come before it is asked for anything. */
  boolean isAgreed(String tabletId, Group group) {
    Asked asked = last.get(tabletId);
    return asked != null
        && asked.agreed()
        && asked.isAbout(group)
        && nanoClock.getAsLong() - asked.nanos() < PATIENCE_NANOS;
  }

  /** The server that was to join this very configuration; or null. */
  String joiner(String tabletId, Group group) {
    Asked asked = last.get(tabletId);
    return asked != null && asked.joining() && asked.isAbout(group) ? asked.subject() : null;
  }

  /** Whether a server may be about to become a member. */
  boolean isJoining(String tabletId, String serverUuid) {
    Asked asked = last.get(tabletId);
    return asked != null
        && asked.joining()
        && asked.subject().equals(serverUuid)
        && nanoClock.getAsLong() - asked.nanos() < JOINING_NANOS;
  }

  void forget(String tabletId) {
    last.remove(tabletId);
  }
}
