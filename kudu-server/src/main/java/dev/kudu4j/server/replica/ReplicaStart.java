package dev.kudu4j.server.replica;

import dev.kudu4j.server.raft.RaftMember;
import dev.kudu4j.tablet.log.LogPosition;
import java.io.IOException;

/** Starts a constructed replica: first its Raft group, then the replica itself. */
final class ReplicaStart {
  /** Creates, opens or joins the Raft group. */
  interface GroupStarter {
    RaftMember start(ReplicaStateMachine machine) throws IOException;
  }

  private ReplicaStart() {}

  /**
   * Starts the replica.
   *
   * @param state closed if this fails
   */
  static TabletReplica start(TabletReplica replica, ReplicaState state, GroupStarter starter)
      throws IOException {
    LogPosition checkpoint = state.checkpoint();
    long startNanos = replica.environment.nanoTime().getAsLong();
    try {
      replica.group.started(starter.start(replica.machine));
      LogPosition logged = replica.lastLogged();
      replica.replay.setLogEnd(logged, replica.machine::lastApplied);
      logWhenReplayed(replica, checkpoint, logged, startNanos);
    } catch (IOException | RuntimeException e) {
      state.close();
      throw e;
    }
    if (replica.lifeCycle.run()) {
      replica.notifyListeners();
    } else {
      replica.environment.executor().execute(replica.end::leaveAndRelease);
    }
    replica.environment.raft().probeIfNotNamed(replica.group.raft(), replica.end::evictAndLeave);
    return replica;
  }

  /** Logs one line when all entries that the log held at the start are applied, if it held any. */
  private static void logWhenReplayed(
      TabletReplica replica, LogPosition checkpoint, LogPosition logged, long startNanos) {
    if (logged.index() <= checkpoint.index()) {
      return;
    }
    replica
        .replay
        .whenDone()
        .thenRun(
            () -> {
              long bytes = replica.machine.appliedBytes();
              if (bytes > 0) { // otherwise all these entries were written by Raft
                long nanos = replica.environment.nanoTime().getAsLong() - startNanos;
                replica.logger.replayed(checkpoint, logged, bytes, nanos);
              }
            });
  }
}
