package dev.kudu4j.server.replica;

import dev.kudu4j.server.raft.LogAnchor;
import dev.kudu4j.server.raft.LogRetention;
import dev.kudu4j.server.replica.members.GroupView;
import dev.kudu4j.tablet.log.LogPosition;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica's log and its relation to the state: flushes, the end of the log, and the part that may
 * be deleted. Thread-safe.
 */
final class ReplicaLog {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaLog.class);

  private final String tabletId;
  private final ReplicaState state;
  private final ReplicaStateMachine machine;
  private final ReplicaGroup group;
  private final LogRetention release;
  private final Object flushing = new Object();
  private volatile long bytesAtFlush;
  private volatile @Nullable LogPosition end; // null until the replica has stopped or failed

  ReplicaLog(
      String tabletId,
      ReplicaEnvironment environment,
      ReplicaState state,
      ReplicaStateMachine machine,
      ReplicaGroup group) {
    this.tabletId = tabletId;
    this.state = state;
    this.machine = machine;
    this.group = group;
    this.release =
        new LogRetention(
            tabletId, environment.raft().options().segmentsKept(), environment.nanoTime());
  }

  /**
   * Makes the state durable. Concurrent calls run one after another.
   *
   * @param checkRuns throws if the replica does not run; called when the flush begins
   */
  LogPosition flush(Runnable checkRuns) throws IOException {
    synchronized (flushing) {
      checkRuns.run();
      long bytes = machine.appliedBytes();
      LogPosition checkpoint = state.flush();
      bytesAtFlush = bytes;
      return checkpoint;
    }
  }

  /**
   * Makes what the state froze at the boundary of an epoch durable, or everything if nothing is
   * frozen. Otherwise like {@link #flush}. The bytes of log after the checkpoint are then an
   * estimate: entries are taken to be of equal size.
   */
  void flushEpoch(Runnable checkRuns) throws IOException {
    synchronized (flushing) {
      checkRuns.run();
      long before = state.checkpoint().index();
      long applied = machine.lastApplied().index();
      long bytes = machine.appliedBytes();
      long flushed = state.flushEpoch().index();
      bytesAtFlush =
          flushed >= applied
              ? bytes
              : bytesAtFlush + (bytes - bytesAtFlush) * (flushed - before) / (applied - before);
    }
  }

  /** Closes the state; waits for a running flush to end. */
  void closeState() {
    synchronized (flushing) {
      state.close();
    }
  }

  /** Bytes of log applied since the last flush. */
  long unflushedBytes() {
    return machine.appliedBytes() - bytesAtFlush;
  }

  /** First index in the log. */
  long firstIndex() {
    return group.raft().firstLogIndex();
  }

  /**
   * The last position in the log; for a replica that has stopped or failed, the last position at
   * the time of that event.
   */
  LogPosition lastLogged() {
    LogPosition known = end;
    return known != null ? known : last();
  }

  private LogPosition last() {
    return group.raft().lastLogged().orElseGet(state::checkpoint);
  }

  /** The last committed position known to this replica. */
  LogPosition lastCommitted() {
    return group.raft().lastCommitted().orElseGet(state::checkpoint);
  }

  /** Remembers the end of the log, because Raft no longer reports it once the log is closed. */
  void rememberEnd() {
    if (end == null && group.raftIfStarted() != null) {
      try {
        end = last();
      } catch (RuntimeException e) {
        LOG.debug("Tablet {}: the log is closed, its end is unknown", tabletId, e);
        end = machine.lastApplied();
      }
    }
  }

  /** Keeps the log after the index until a minute after the returned anchor is closed. */
  LogAnchor anchor(long index) {
    return release.anchor(index);
  }

  /** Records that the leader allows the log to be deleted up to this index. */
  void leaderReleases(long releasable) {
    release.leaderReleases(releasable);
  }

  /**
   * Deletes as much of the log as {@link LogRetention} allows.
   *
   * @param led the leader's view of the group; null if this replica does not lead
   * @return the index up to which every member may delete its log
   */
  long release(@Nullable GroupView led) {
    long checkpoint = state.checkpoint().index();
    long releasable =
        led == null
            ? release.releasableByFollower()
            : release.releasableByLeader(led.raft(), led.isJoinedByAll(), checkpoint);
    release.release(group.raft(), releasable, checkpoint);
    return releasable;
  }
}
