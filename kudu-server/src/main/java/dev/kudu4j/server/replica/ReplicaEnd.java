package dev.kudu4j.server.replica;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.raft.RaftMember;
import java.io.IOException;

/**
 * Ends a replica: it is stopped, it fails, or it is evicted from its group. The first of these
 * events fails all requests that wait for the replica. Thread-safe.
 */
final class ReplicaEnd {
  private final TabletReplica replica;

  ReplicaEnd(TabletReplica replica) {
    this.replica = replica;
  }

  /** Stops the replica; waits for a running flush to end. */
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

  private void refuse(KuduException failure) {
    replica.membership().close(failure);
    replica.writes.close(failure);
    replica.safeTime().fail(failure);
    replica.replay.fail(failure);
    replica.leader.close(failure);
  }

  /**
   * Fails the replica and releases its memory, which would never be flushed and is needed by other
   * tablets. The files and the log are kept.
   *
   * @param leave whether the replica must leave its group. Leaving the group and releasing the
   *     memory happen on another thread, because the current thread may be the apply thread, and
   *     closing the group waits for that thread
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

  /** Closes the Raft group. The log is kept, so that an operator can examine it. */
  private void leaveGroup() {
    RaftMember running = replica.group.raftIfStarted(); // null until the start has returned
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

  /** Ends the replica because it is no longer a member of its group. */
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
