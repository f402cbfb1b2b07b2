package dev.kudu4j.client.cluster;

import dev.kudu4j.client.cluster.RemoteReplica.Role;
import dev.kudu4j.common.partition.Partition;
import java.util.List;

/**
 * A tablet and its replicas, as last reported. One object represents a tablet as long as the client
 * caches the tablet, even if the replicas change. So the object can be a map key, and each call
 * must read the current replicas from it. Thread-safe.
 */
public final class RemoteTablet {
  private final TableTablets table;
  private final String tabletId;
  private final Partition partition;

  private volatile List<RemoteReplica> replicas;

  /** When the known replicas were requested from the master, on the scale of nanoTime. */
  private volatile long askedNanos;

  private volatile boolean gone;

  RemoteTablet(
      TableTablets table,
      String tabletId,
      Partition partition,
      List<RemoteReplica> replicas,
      long askedNanos) {
    this.table = table;
    this.tabletId = tabletId;
    this.partition = partition;
    this.replicas = List.copyOf(replicas);
    this.askedNanos = askedNanos;
  }

  public String tableId() {
    return table.tableId();
  }

  public String tabletId() {
    return tabletId;
  }

  /** The tablet and its table, for messages. */
  public String describe() {
    return "tablet " + tabletId + " of table " + table;
  }

  public Partition partition() {
    return partition;
  }

  public List<RemoteReplica> replicas() {
    return replicas;
  }

  /** The replica that is believed to lead; null if none is. */
  public RemoteReplica leader() {
    for (RemoteReplica replica : replicas) {
      if (replica.role() == Role.LEADER) {
        return replica;
      }
    }
    return null;
  }

  TableTablets table() {
    return table;
  }

  long askedNanos() {
    return askedNanos;
  }

  /** Whether the master reported that the tablet no longer exists. */
  boolean isGone() {
    return gone;
  }

  void markGone() {
    gone = true;
  }

  /**
   * Applies the replicas that the master reported, unless the known replicas were requested later.
   */
  synchronized void update(List<RemoteReplica> reported, long asked) {
    if (asked - askedNanos >= 0) {
      askedNanos = asked;
      replicas = List.copyOf(reported);
      gone = false;
    }
  }

  /** Called when the replica reported that it does not lead, or did not answer. */
  synchronized void notLeading(RemoteReplica replica) {
    if (isLeader(replica)) {
      replicas =
          replicas.stream()
              .map(r -> r.role() == Role.LEADER ? r.withRole(Role.FOLLOWER) : r)
              .toList();
    }
  }

  /** Called when the replica answered a request that only the leader answers. */
  synchronized void leading(RemoteReplica replica) {
    if (isLeader(replica)) {
      return;
    }
    replicas = replicas.stream().map(r -> r.withRole(roleUnder(replica, r))).toList();
  }

  private boolean isLeader(RemoteReplica replica) {
    RemoteReplica leader = leader();
    return leader != null && leader.serverId().equals(replica.serverId());
  }

  private static Role roleUnder(RemoteReplica leader, RemoteReplica replica) {
    if (replica.serverId().equals(leader.serverId())) {
      return Role.LEADER;
    }
    return replica.role() == Role.LEARNER ? Role.LEARNER : Role.FOLLOWER;
  }

  @Override
  public String toString() {
    return tabletId;
  }
}
