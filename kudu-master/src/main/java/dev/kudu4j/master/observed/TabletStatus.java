package dev.kudu4j.master.observed;

import dev.kudu4j.master.membership.Group;
import org.jspecify.annotations.Nullable;

/**
 * The status of a tablet, as its replicas last reported it. Immutable.
 *
 * @param term the highest term that was reported
 * @param leader uuid of the server that leads in {@code term}; null when not known
 * @param schemaVersion the highest schema version that a leader has reported as applied; -1 when
 *     none has reported
 * @param onDiskBytes size of the leader's replica; -1 when not known
 * @param liveRowCount rows of the leader's replica; -1 when not known
 * @param group the members as a leader last reported them, possibly one of an earlier term, see
 *     {@link #currentGroup}; null when none has
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

  /**
   * The members as the leader of {@code term} has reported them; null until it has reported them.
   */
  public @Nullable Group currentGroup() {
    return group != null && group.term() == term && isLedBy(group.leader()) ? group : null;
  }

  public boolean isLedBy(String uuid) {
    return uuid.equals(leader);
  }

  /**
   * The status after a replica has reported a term and the leader of that term (null if it does not
   * know the leader). An older term changes nothing; in the same term, null does not replace a
   * known leader.
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

  /** The status without the reported members, after the leader's replica was lost. */
  public TabletStatus withoutGroup() {
    return new TabletStatus(term, leader, schemaVersion, onDiskBytes, liveRowCount, null);
  }

  /**
   * The status after the leader has reported the members. If a later configuration of the same term
   * has been reported, nothing changes.
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
