package dev.kudu4j.server.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.TimeSource;
import org.junit.jupiter.api.Test;

class SafeTimeTest {
  private final HybridClock clock = new HybridClock(TimeSource.system(1000), 10_000_000);

  /** The log of a leader before may be ahead of this server's clock. */
  @Test
  void timestampsAreAboveTheLogAlsoBeforeTheReplicaKnowsThatItLeads() {
    long ahead = clock.now() + (3_600_000_000L << 12);
    SafeTime safeTime = new SafeTime(clock, 0, Runnable::run);
    safeTime.applied(ahead);
    assertThat(safeTime.begin(3)).isGreaterThan(ahead);
    safeTime.lead();
    assertThat(safeTime.begin(1)).isGreaterThan(ahead + 3);
  }

  @Test
  void aSnapshotThatALeaderServedIsBelowAllThatFollows() {
    SafeTime safeTime = new SafeTime(clock, 0, Runnable::run);
    safeTime.lead();
    long inFlight = safeTime.begin(1);
    long snapshot = clock.now();
    var readable = safeTime.whenReadable(snapshot, 10_000_000_000L);
    assertThat(readable).isNotDone();
    assertThat(safeTime.begin(1)).isGreaterThan(snapshot);
    safeTime.applied(inFlight);
    assertThat(readable).isCompleted();
  }
}
