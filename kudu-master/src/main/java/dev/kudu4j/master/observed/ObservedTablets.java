package dev.kudu4j.master.observed;

import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.observed.ObservedReplica.State;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * The registry of what this leader session knows of tablets beyond the catalog: what the servers
 * reported, what the leader asked for, and since when. Not stored: the next session learns it from
 * the servers.
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

  /** As {@link #update}, except that a tablet of which nothing is known stays unknown. */
  private void updateKnown(String tabletId, UnaryOperator<ObservedTablet> change) {
    tablets.computeIfPresent(tabletId, (id, old) -> change.apply(old));
  }

  /** Changes the reported status in one step and returns what it became. */
  public TabletStatus updateStatus(String tabletId, UnaryOperator<TabletStatus> change) {
    long now = nowNanos();
    return update(tabletId, old -> old.withStatus(change.apply(old.status()), now)).status();
  }

  /** A replica that the catalog calls uncreated runs. */
  public void replicaRuns(String tabletId, String serverUuid) {
    long now = nowNanos();
    update(tabletId, old -> old.withReplica(serverUuid, State.RUNNING, now));
  }

  /** A server that is no member holds a tombstone of the tablet, or nothing. */
  public void replicaTombstoned(String tabletId, String serverUuid) {
    long now = nowNanos();
    update(tabletId, old -> old.withReplica(serverUuid, State.TOMBSTONED, now));
  }

  /** A server confirmed that it has deleted its replica of a dropped tablet. */
  public void replicaDeleted(String tabletId, String serverUuid) {
    long now = nowNanos();
    update(tabletId, old -> old.withReplica(serverUuid, State.DELETED, now));
  }

  /** A replica is no longer, or not after all, in a state. */
  public void replicaLeft(String tabletId, String serverUuid, State state) {
    updateKnown(tabletId, old -> old.withoutReplica(serverUuid, state));
  }

  /** The catalog has every replica of the tablet that runs. */
  public void creationRecorded(String tabletId) {
    updateKnown(tabletId, ObservedTablet::withoutRunning);
  }

  /** Servers refused to create their replica of a tablet for good. */
  public void refused(String tabletId, Set<String> servers) {
    update(tabletId, old -> old.withRefusals(servers));
  }

  /**
   * A leader is asked to change its members, or has accepted that.
   *
   * @param group the configuration that the change applies to
   * @param subject the server that joins, leaves or becomes leader
   */
  public void membershipRequested(
      String tabletId, Group group, String subject, boolean joining, boolean accepted) {
    MembershipRequest request = MembershipRequest.of(group, subject, joining, accepted, nowNanos());
    update(tabletId, old -> old.withRequest(request));
  }

  /** The rebalancer begins to move a replica. */
  public void moveBegun(String tabletId, String source, String target) {
    ReplicaMove move = new ReplicaMove(source, target, false, nowNanos());
    update(tabletId, old -> old.withMove(move));
  }

  /** How many moves begin or end at each server. */
  public Map<String, Integer> movesByServer() {
    long now = nowNanos();
    Map<String, Integer> counts = new HashMap<>();
    for (ObservedTablet tablet : tablets.values()) {
      ReplicaMove move = tablet.move(now);
      if (move != null) {
        counts.merge(move.source(), 1, Integer::sum);
        counts.merge(move.target(), 1, Integer::sum);
      }
    }
    return counts;
  }

  /** The catalog has no record of the tablet any more. */
  public void forget(String tabletId) {
    tablets.remove(tabletId);
  }
}
