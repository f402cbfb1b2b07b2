package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.raft.RaftMember;
import java.io.IOException;

/**
 * Ends a replica: it is stopped, it fails, or its group goes on without it. Whichever comes first
 * fails all that waits at the replica. Thread-safe.
 */
final class ReplicaEnd {
  private final TabletReplica replica;

  ReplicaEnd(TabletReplica replica) {
    this.replica = replica;
  }

  /** Stops the replica, after a flush that runs. */
  void stop(boolean deleteLog) {
    if (!replica.lifeCycle.stop()) {
      return;
    }
    refuse(
        KuduException.serviceUnavailable(
            "The replica of tablet %s is being stopped", replica.tabletId()));
    replica.log.rememberEnd();
    try {
      replica.environment.raft().remove(replica.tabletId(), deleteLog);
    } catch (IOException | RuntimeException e) {
      replica.logger.closedUncleanly(e);
    }
    replica.log.closeState();
  }

  private void refuse(KuduException why) {
    replica.membership().close(why);
    replica.writes.close(why);
    replica.safeTime().fail(why);
    replica.replay.fail(why);
    replica.leader.close(why);
  }

  /**
   * A failed replica holds no memory: nobody would flush it, and the other tablets need it. Its
   * files and its log stay.
   *
   * @param leave whether it has to leave its group. That and the release happen on another thread:
   *     this one may be the one that applies, for which the group waits
   */
  void fail(Throwable cause, boolean leave) {
    if (!replica.lifeCycle.fail(cause)) {
      return;
    }
    replica.log.rememberEnd();
    replica.logger.failed(cause);
    refuse(replica.lifeCycle.failure(cause));
    replica.notifyListeners();
    replica.environment.executor().execute(leave ? this::leaveAndRelease : replica.log::closeState);
  }

  void leaveAndRelease() {
    leaveGroup();
    replica.log.closeState();
  }

  /** The log stays for whoever examines it. */
  private void leaveGroup() {
    RaftMember running = replica.group.raft(); // null until the start has returned
    if (running == null) {
      return;
    }
    try {
      running.close();
    } catch (RuntimeException e) {
      replica.logger.closedUncleanly(e);
    }
  }

  void evictAndLeave() {
    evict();
    leaveGroup();
  }

  /** The group goes on without this replica. */
  void evict() {
    if (!replica.lifeCycle.evict()) {
      return;
    }
    replica.log.rememberEnd();
    replica.logger.evicted();
    refuse(
        KuduException.illegalState(
            "This replica of tablet %s is no longer a member of its group; refresh its locations"
                + " from the master",
            replica.tabletId()));
    replica.notifyListeners();
  }
}
