package dev.kudu4j.server.replica;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much of a replica's log may go. Whole log files below the checkpoint are deleted, but for
 * what another member may need, from this replica or from whoever takes its place: until a replica
 * can be copied anew, nobody's log may be taken away from under them. The open file stays.
 * Thread-safe.
 */
final class LogRelease {
  private static final Logger LOG = LoggerFactory.getLogger(LogRelease.class);

  private final String tabletId;
  private final AtomicLong toldHeldByAll = new AtomicLong(-1);
  private final AtomicLong released = new AtomicLong(-1);
  private final LogHolds holds = new LogHolds();

  LogRelease(String tabletId) {
    this.tabletId = tabletId;
  }

  /** Keeps what is above the index until the hold is closed. */
  LogHold hold(long index) {
    return holds.hold(index);
  }

  /** A leader has told which log index every member has. */
  void told(long heldByAll) {
    toldHeldByAll.accumulateAndGet(heldByAll, Math::max);
  }

  /** The log index that every member has, as the leader knows or has told. */
  long heldByAll(RaftServer.Division division, boolean leads) {
    if (new GroupView(division).isAlone()) {
      return Long.MAX_VALUE;
    }
    if (!leads) {
      return toldHeldByAll.get();
    }
    long[] matches = division.getInfo().getFollowerMatchIndices(); // null at the end of a term
    return matches == null ? -1 : Arrays.stream(matches).min().orElse(-1);
  }

  /**
   * Deletes what may go now.
   *
   * @param checkpoint index up to which the state is durable
   */
  void release(RaftServer.Division division, boolean leads, long checkpoint) {
    long held = heldByAll(division, leads);
    long needed = Math.min(held - 1, holds.lowest()); // -1: Raft names the one before
    long floor = Math.min(checkpoint, needed);
    long before = released.get();
    if (floor <= before || !released.compareAndSet(before, floor)) {
      return;
    }
    division
        .getRaftLog()
        .purge(floor)
        .whenComplete(
            (done, thrown) -> {
              if (thrown != null) {
                LOG.warn("Tablet {}: cannot release the log up to {}", tabletId, floor, thrown);
              }
            });
  }
}
