package dev.kudu4j.master.observed;

import dev.kudu4j.common.proto.index.IndexProgressPB;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.membership.MoveReason;
import dev.kudu4j.master.observed.ObservedReplica.State;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * The state of all tablets in this leader session that is not in the catalog: what the servers
 * reported, what this master requested of them, and when. It is not stored: the next session
 * collects it from the reports of the servers.
 *
 * <p>Thread-safe. Lookups take no lock; each change replaces one {@link ObservedTablet} in one
 * step.
 */
public final class ObservedTablets {
  private final Map<String, ObservedTablet> tablets = new ConcurrentHashMap<>();
  private final LongSupplier nanoClock;

  public ObservedTablets(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  public ObservedTablet get(String tabletId) {
    return tablets.getOrDefault(tabletId, ObservedTablet.UNKNOWN);
  }

  public TabletStatus status(String tabletId) {
    return get(tabletId).status();
  }

  public long nowNanos() {
    return nanoClock.getAsLong();
  }

  private ObservedTablet update(String tabletId, UnaryOperator<ObservedTablet> change) {
    return tablets.compute(
        tabletId, (id, old) -> change.apply(old == null ? ObservedTablet.UNKNOWN : old));
  }

  /** Like {@link #update}, but does nothing for a tablet that has no entry. */
  private void updateKnown(String tabletId, UnaryOperator<ObservedTablet> change) {
    tablets.computeIfPresent(tabletId, (id, old) -> change.apply(old));
  }

  /** Changes the reported status of a tablet atomically and returns the new status. */
  public TabletStatus updateStatus(String tabletId, UnaryOperator<TabletStatus> change) {
    long now = nowNanos();
    return update(tabletId, old -> old.withStatus(change.apply(old.status()), now)).status();
  }

  /** Notes the progress of the indexes of a server's replica; empty if it has none. */
  public void indexesReported(String tabletId, String serverUuid, List<IndexProgressPB> reported) {
    if (reported.isEmpty()) {
      updateKnown(tabletId, old -> old.withIndexes(serverUuid, reported));
    } else {
      update(tabletId, old -> old.withIndexes(serverUuid, reported));
    }
  }

  /** Notes that a replica runs which the catalog has as uncreated. */
  public void replicaRuns(String tabletId, String serverUuid) {
    long now = nowNanos();
    update(tabletId, old -> old.withReplica(serverUuid, State.RUNNING, now));
  }

  /** Notes that a server which is no member holds at most a tombstone of the tablet. */
  public void replicaTombstoned(String tabletId, String serverUuid) {
    long now = nowNanos();
    update(tabletId, old -> old.withReplica(serverUuid, State.TOMBSTONED, now));
  }

  /** Notes that a server has confirmed the deletion of its replica of a dropped tablet. */
  public void replicaDeleted(String tabletId, String serverUuid) {
    long now = nowNanos();
    update(tabletId, old -> old.withReplica(serverUuid, State.DELETED, now));
  }

  /** Forgets the state of a replica if it is {@code state}. */
  public void replicaLeft(String tabletId, String serverUuid, State state) {
    updateKnown(tabletId, old -> old.withoutReplica(serverUuid, state));
  }

  /** Forgets the running replicas of a tablet, since the catalog now has all of them as created. */
  public void creationRecorded(String tabletId) {
    updateKnown(tabletId, ObservedTablet::withoutRunning);
  }

  /** Notes servers that refused to create their replica of a tablet, for a permanent reason. */
  public void refused(String tabletId, Set<String> servers) {
    update(tabletId, old -> old.withRefusals(servers));
  }

  /**
   * Notes that a leader is asked to change the members of its group, or has accepted the change.
   *
   * @param group the configuration that the change applies to
   * @param subject the server that joins, leaves or becomes leader
   */
  public void membershipRequested(
      String tabletId, Group group, String subject, boolean joining, boolean accepted) {
    MembershipRequest request = MembershipRequest.of(group, subject, joining, accepted, nowNanos());
    update(tabletId, old -> old.withRequest(request));
  }

  /** Notes that the rebalancer begins to move a replica. */
  public void moveBegun(String tabletId, String source, String target, MoveReason reason) {
    ReplicaMove move = new ReplicaMove(source, target, reason, false, nowNanos());
    update(tabletId, old -> old.withMove(move));
  }

  /** Forgets a tablet that the catalog has no record of any more. */
  public void forget(String tabletId) {
    tablets.remove(tabletId);
  }
}
