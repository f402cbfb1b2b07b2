package dev.kudu4j.master.observed;

import dev.kudu4j.common.proto.index.IndexProgressPB;
import dev.kudu4j.master.catalog.TabletInfo;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.observed.ObservedReplica.State;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of one tablet in this leader session that is not in the catalog. Immutable; each change
 * makes a new one.
 *
 * @param status leader, members, schema version and size, as reported
 * @param replicas the replicas whose state is not recorded in the catalog, by server
 * @param refusals the servers that refused to create their replica, for a permanent reason
 * @param lastRequest the last change of members that was requested; null when there was none
 * @param lastMove the last move that the rebalancer began; null when there was none, or when it was
 *     found to be over
 * @param indexes the progress of the indexes of running replicas, by server; without replicas that
 *     know no index
 */
public record ObservedTablet(
    TabletStatus status,
    Map<String, ObservedReplica> replicas,
    Set<String> refusals,
    @Nullable MembershipRequest lastRequest,
    @Nullable ReplicaMove lastMove,
    Map<String, List<IndexProgressPB>> indexes) {
  /** A tablet of which nothing has been reported or requested. */
  public static final ObservedTablet UNKNOWN =
      new ObservedTablet(TabletStatus.UNKNOWN, Map.of(), Set.of(), null, null, Map.of());

  public ObservedTablet {
    replicas = Map.copyOf(replicas);
    refusals = Set.copyOf(refusals);
    indexes = Map.copyOf(indexes);
  }

  /** Whether a server's replica was last seen in this state. */
  public boolean isReplica(String serverUuid, State state) {
    ObservedReplica replica = replicas.get(serverUuid);
    return replica != null && replica.state() == state;
  }

  /**
   * Whether every server that may have had a replica has deleted it at least {@code lingerNanos}
   * ago. The record of the tablet is kept that long, because a deposed master that has not yet
   * noticed the loss of its leadership may still ask a server to create a replica. Without the
   * record that replica would stay forever: the master does not delete replicas of unknown tablets.
   */
  public boolean isForgettable(TabletInfo tablet, long nowNanos, long lingerNanos) {
    return tablet
        .holders()
        .map(replicas::get)
        .allMatch(
            replica ->
                replica != null
                    && replica.state() == State.DELETED
                    && nowNanos - replica.sinceNanos() >= lingerNanos);
  }

  /**
   * Whether the leader has accepted a change of this configuration that it has not reported yet.
   */
  public boolean isChanging(Group group, long nowNanos) {
    return lastRequest != null && lastRequest.isAccepted(group, nowNanos);
  }

  /** Whether the server was recently asked to join and may soon be a member. */
  public boolean isJoining(String serverUuid, long nowNanos) {
    return lastRequest != null && lastRequest.isJoining(serverUuid, nowNanos);
  }

  /** The server that was asked to join this configuration; null when none was. */
  public @Nullable String joining(Group group) {
    return lastRequest != null && lastRequest.isJoining(group) ? lastRequest.subject() : null;
  }

  /** The move by the rebalancer that is under way; null when there is none. */
  public @Nullable ReplicaMove move(long nowNanos) {
    Group group = status.currentGroup();
    boolean over = lastMove != null && group != null && lastMove.isOver(group, nowNanos);
    return over ? null : lastMove;
  }

  /** Whether the rebalancer moves this server's replica elsewhere. */
  public boolean isLeaving(String serverUuid, long nowNanos) {
    ReplicaMove move = move(nowNanos);
    return move != null && move.source().equals(serverUuid);
  }

  ObservedTablet withStatus(TabletStatus reported, long nowNanos) {
    ReplicaMove move = lastMove;
    Group group = reported.currentGroup();
    if (move != null && group != null) {
      move = move.after(group, nowNanos);
    }
    return new ObservedTablet(reported, replicas, refusals, lastRequest, move, indexes);
  }

  /**
   * This tablet with the given state of a server's replica. If the replica is already in that
   * state, its {@code sinceNanos} is kept.
   */
  ObservedTablet withReplica(String serverUuid, State state, long nowNanos) {
    return isReplica(serverUuid, state)
        ? this
        : withReplicas(replicas, serverUuid, new ObservedReplica(state, nowNanos));
  }

  ObservedTablet withoutReplica(String serverUuid, State state) {
    return isReplica(serverUuid, state) ? withReplicas(replicas, serverUuid, null) : this;
  }

  private ObservedTablet withReplicas(
      Map<String, ObservedReplica> before, String serverUuid, @Nullable ObservedReplica replica) {
    Map<String, ObservedReplica> after = new HashMap<>(before);
    if (replica == null) {
      after.remove(serverUuid);
    } else {
      after.put(serverUuid, replica);
    }
    return new ObservedTablet(status, after, refusals, lastRequest, lastMove, indexes);
  }

  /** This tablet without its RUNNING replicas, after the catalog has recorded their creation. */
  ObservedTablet withoutRunning() {
    Map<String, ObservedReplica> left = new HashMap<>(replicas);
    left.values().removeIf(replica -> replica.state() == State.RUNNING);
    return left.size() == replicas.size()
        ? this
        : new ObservedTablet(status, left, refusals, lastRequest, lastMove, indexes);
  }

  ObservedTablet withRefusals(Set<String> servers) {
    Set<String> all = new HashSet<>(refusals);
    all.addAll(servers);
    return new ObservedTablet(status, replicas, all, lastRequest, lastMove, indexes);
  }

  ObservedTablet withRequest(MembershipRequest request) {
    return new ObservedTablet(status, replicas, refusals, request, lastMove, indexes);
  }

  ObservedTablet withMove(ReplicaMove move) {
    return new ObservedTablet(status, replicas, refusals, lastRequest, move, indexes);
  }

  /** This tablet after a server has reported the indexes of its replica; empty for none. */
  ObservedTablet withIndexes(String serverUuid, List<IndexProgressPB> reported) {
    if (indexes.getOrDefault(serverUuid, List.of()).equals(reported)) {
      return this;
    }
    Map<String, List<IndexProgressPB>> after = new HashMap<>(indexes);
    if (reported.isEmpty()) {
      after.remove(serverUuid);
    } else {
      after.put(serverUuid, List.copyOf(reported));
    }
    return new ObservedTablet(status, replicas, refusals, lastRequest, lastMove, after);
  }
}
