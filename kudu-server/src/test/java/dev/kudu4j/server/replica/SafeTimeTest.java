package dev.kudu4j.server.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SafeTimeTest {
  private final List<Long> asked = new ArrayList<>();
  private final HybridClock clock = new HybridClock(TimeSource.system(1000), 10_000_000);

  /** The log of a leader before may be ahead of this server's clock. */
  @Test
  void timestampsAreAboveTheLogAlsoBeforeTheReplicaKnowsThatItLeads() {
    long ahead = clock.now() + (3_600_000_000L << 12);
    SafeTime safeTime = new SafeTime(clock, 0, -1, Runnable::run, asked::add);
    safeTime.applied(0, ahead);
    assertThat(safeTime.begin(3)).isGreaterThan(ahead);
    safeTime.lead(true);
    assertThat(safeTime.begin(1)).isGreaterThan(ahead + 3);
  }

  @Test
  void aSnapshotThatALeaderServedIsBelowAllThatFollows() {
    SafeTime safeTime = new SafeTime(clock, 0, -1, Runnable::run, asked::add);
    safeTime.lead(true);
    long inFlight = safeTime.begin(1);
    long snapshot = clock.now();
    var readable = safeTime.whenReadable(snapshot, 10_000_000_000L);
    assertThat(readable).isNotDone();
    assertThat(safeTime.begin(1)).isGreaterThan(snapshot);
    safeTime.applied(1, inFlight);
    assertThat(readable).isCompleted();
  }

  @Test
  void aLeaderAmongOthersAsksForAProofFirst() {
    SafeTime safeTime = new SafeTime(clock, 0, -1, Runnable::run, asked::add);
    safeTime.lead(false);
    long snapshot = clock.now();
    var readable = safeTime.whenReadable(snapshot, 10_000_000_000L);
    assertThat(readable).isNotDone();
    assertThat(asked).containsExactly(snapshot);
    safeTime.proved(snapshot - 1);
    assertThat(readable).isNotDone();
    safeTime.proved(clock.now());
    assertThat(readable).isCompleted();
    assertThat(safeTime.now()).isGreaterThan(snapshot).isLessThan(clock.now());
  }

  @Test
  void aReaderThatCameWhileMembersChangedIsServedWhenTheLeaderIsAloneAgain() {
    SafeTime safeTime = new SafeTime(clock, 0, -1, Runnable::run, asked::add);
    safeTime.lead(true);
    safeTime.alone(false);
    var readable = safeTime.whenReadable(clock.now(), 10_000_000_000L);
    assertThat(readable).isNotDone();
    safeTime.alone(true);
    assertThat(readable).isCompleted();
  }

  @Test
  void aPromiseHoldsFromTheIndexOn() {
    SafeTime safeTime = new SafeTime(clock, 0, 4, Runnable::run, asked::add);
    long snapshot = clock.now();
    var readable = safeTime.whenReadable(snapshot, 10_000_000_000L);
    safeTime.promised(new SafeTime.Promise(snapshot + 10, 6));
    safeTime.applied(5, snapshot - 1);
    assertThat(readable).isNotDone();
    safeTime.passed(6);
    assertThat(readable).isCompleted();
    assertThat(safeTime.now()).isEqualTo(snapshot + 10);
  }

  /** What the leader before has promised to others must not come to pass differently. */
  @Test
  void aNewLeadersTimestampsAreAboveWhatWasPromised() {
    SafeTime safeTime = new SafeTime(clock, 0, 4, Runnable::run, asked::add);
    long promised = clock.now() + (1_000_000L << 12);
    safeTime.promised(new SafeTime.Promise(promised, 6));
    safeTime.lead(false);
    assertThat(safeTime.begin(1)).isGreaterThan(promised);
  }

  @Test
  void aReaderAtAFormerLeaderWaitsForTheNextOne() {
    SafeTime safeTime = new SafeTime(clock, 0, 4, Runnable::run, asked::add);
    safeTime.lead(false);
    long snapshot = clock.now();
    var readable = safeTime.whenReadable(snapshot, 10_000_000_000L);
    safeTime.begin(1);
    safeTime.follow();
    assertThat(asked).containsExactly(snapshot, snapshot);
    safeTime.proved(clock.now());
    assertThat(readable).isNotDone();
    safeTime.promised(new SafeTime.Promise(clock.now(), 4));
    assertThat(readable).isCompleted();
  }
}
