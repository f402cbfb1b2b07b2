package dev.kudu4j.master.observed;

import dev.kudu4j.master.membership.Group;
import org.jspecify.annotations.Nullable;

/**
 * What the replicas of a tablet last reported. Immutable.
 *
 * @param term the highest term that was reported
 * @param leader uuid of the server that leads in that term; null when not known
 * @param schemaVersion the highest version that a leader is known to have applied; -1 when none is
 * @param onDiskBytes of the leader's replica; -1 when not known
 * @param liveRowCount of the leader's replica; -1 when not known
 * @param group the members, as the leader of the term reports them; null until it has
 */
public record TabletStatus(
    long term,
    @Nullable String leader,
    int schemaVersion,
    long onDiskBytes,
    long liveRowCount,
    @Nullable Group group) {
  /** Nothing has been reported. */
  public static final TabletStatus UNKNOWN = new TabletStatus(-1, null, -1, -1, -1, null);

  public boolean hasLeader() {
    return leader != null;
  }

  /** The members as the present leader has reported them; null until it has. */
  public @Nullable Group currentGroup() {
    return group != null && group.term() == term && isLedBy(group.leader()) ? group : null;
  }

  public boolean isLedBy(String uuid) {
    return uuid.equals(leader);
  }

  /**
   * After a replica reported a term and, unless null, its leader. An older term changes nothing; in
   * the same term a follower that does not know the leader yet does not clear it.
   */
  public TabletStatus withLeadership(long reportedTerm, @Nullable String reportedLeader) {
    if (reportedTerm < term || (reportedTerm == term && reportedLeader == null)) {
      return this;
    }
    return new TabletStatus(
        reportedTerm, reportedLeader, schemaVersion, onDiskBytes, liveRowCount, group);
  }

  public TabletStatus withSchemaVersion(int version) {
    return version <= schemaVersion
        ? this
        : new TabletStatus(term, leader, version, onDiskBytes, liveRowCount, group);
  }

  public TabletStatus withSize(long bytes, long rows) {
    return new TabletStatus(term, leader, schemaVersion, bytes, rows, group);
  }

  /** After the leader's replica was lost: its report of the members no longer counts. */
  public TabletStatus withoutGroup() {
    return new TabletStatus(term, leader, schemaVersion, onDiskBytes, liveRowCount, null);
  }

  /**
   * After the leader reported the members; an earlier configuration of its term changes nothing.
   */
  public TabletStatus withGroup(Group reported) {
    boolean older =
        group != null
            && group.term() == reported.term()
            && group.configIndex() > reported.configIndex();
    return older
        ? this
        : new TabletStatus(term, leader, schemaVersion, onDiskBytes, liveRowCount, reported);
  }
}
