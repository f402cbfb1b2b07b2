package dev.kudu4j.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.server.replica.write.QueuedStep.Turn.Answer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SafeTimeTest {
  private final AtomicInteger asked = new AtomicInteger();
  private final HybridClock clock = new HybridClock(TimeSource.system(1000), 10_000_000);

  /** The log of a previous leader may be ahead of this server's clock. */
  @Test
  void timestampsAreAboveTheLogEvenBeforeTheReplicaLeads() {
    long ahead = clock.now() + (3_600_000_000L << 12);
    SafeTime safeTime = new SafeTime(clock, false, 0, -1, Runnable::run, asked::incrementAndGet);
    safeTime.applied(0, ahead);
    assertThat(safeTime.begin(3)).isGreaterThan(ahead);
    safeTime.lead(true);
    assertThat(safeTime.begin(1)).isGreaterThan(ahead + 3);
  }

  @Test
  void aServedSnapshotIsBelowAllLaterTimestamps() {
    SafeTime safeTime = new SafeTime(clock, false, 0, -1, Runnable::run, asked::incrementAndGet);
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
  void aLeaderWithOtherVotersNeedsAProof() {
    SafeTime safeTime = new SafeTime(clock, false, 0, -1, Runnable::run, asked::incrementAndGet);
    safeTime.lead(false);
    long snapshot = clock.now();
    var readable = safeTime.whenReadable(snapshot, 10_000_000_000L);
    assertThat(readable).isNotDone();
    assertThat(asked).hasValue(1);
    assertThat(safeTime.wanted().snapshot()).isEqualTo(snapshot);
    safeTime.proved(snapshot - 1);
    assertThat(readable).isNotDone();
    safeTime.proved(clock.now());
    assertThat(readable).isCompleted();
    assertThat(safeTime.now()).isGreaterThan(snapshot).isLessThan(clock.now());
  }

  @Test
  void waitersAreServedWhenTheLeaderBecomesTheOnlyVoter() {
    SafeTime safeTime = new SafeTime(clock, false, 0, -1, Runnable::run, asked::incrementAndGet);
    safeTime.lead(true);
    safeTime.onlyVoter(false);
    var readable = safeTime.whenReadable(clock.now(), 10_000_000_000L);
    assertThat(readable).isNotDone();
    safeTime.onlyVoter(true);
    assertThat(readable).isCompleted();
  }

  @Test
  void entriesAreAppliedInLogOrder() {
    SafeTime safeTime = new SafeTime(clock, false, 0, 4, Runnable::run, asked::incrementAndGet);
    safeTime.passed(5);
    assertThatThrownBy(() -> safeTime.passed(4)).isInstanceOf(AssertionError.class);
  }

  @Test
  void aPromiseIsValidFromItsIndexOn() {
    SafeTime safeTime = new SafeTime(clock, false, 0, 4, Runnable::run, asked::incrementAndGet);
    long snapshot = clock.now();
    var readable = safeTime.whenReadable(snapshot, 10_000_000_000L);
    safeTime.promised(new SafeTime.Promise(snapshot + 10, 6));
    safeTime.applied(5, snapshot - 1);
    assertThat(readable).isNotDone();
    safeTime.passed(6);
    assertThat(readable).isCompleted();
    assertThat(safeTime.now()).isEqualTo(snapshot + 10);
  }

  /** Snapshots that the previous leader has promised must not change. */
  @Test
  void aNewLeadersTimestampsAreAboveEarlierPromises() {
    SafeTime safeTime = new SafeTime(clock, false, 0, 4, Runnable::run, asked::incrementAndGet);
    long promised = clock.now() + (1_000_000L << 12);
    safeTime.promised(new SafeTime.Promise(promised, 6));
    safeTime.lead(false);
    assertThat(safeTime.begin(1)).isGreaterThan(promised);
  }

  @Test
  void aReaderOnAFormerLeaderWaitsForTheNextLeader() {
    SafeTime safeTime = new SafeTime(clock, false, 0, 4, Runnable::run, asked::incrementAndGet);
    safeTime.lead(false);
    long snapshot = clock.now();
    var readable = safeTime.whenReadable(snapshot, 10_000_000_000L);
    safeTime.begin(1);
    safeTime.follow();
    assertThat(asked).hasValue(2);
    assertThat(safeTime.wanted().snapshot()).isEqualTo(snapshot);
    safeTime.proved(clock.now());
    assertThat(readable).isNotDone();
    safeTime.promised(new SafeTime.Promise(clock.now(), 4));
    assertThat(readable).isCompleted();
  }

  @Test
  void aFeedWithoutRowsNeedsNoEntryButAProof() {
    SafeTime safeTime = new SafeTime(clock, true, 100, 4, Runnable::run, asked::incrementAndGet);
    AtomicInteger hastened = new AtomicInteger();
    safeTime.onFeedReader(hastened::incrementAndGet);
    safeTime.lead(false);
    long snapshot = clock.now();
    var readable = safeTime.whenReadable(snapshot, 10_000_000_000L);
    assertThat(hastened).hasValue(1);
    assertThat(asked).hasValue(0); // the feed first
    safeTime.fed(snapshot - 1);
    assertThat(asked).hasValue(0);
    safeTime.fed(snapshot + 1);
    assertThat(readable).isNotDone();
    assertThat(asked).hasValue(1);
    assertThat(safeTime.now()).isEqualTo(100);
    safeTime.proved(clock.now());
    assertThat(readable).isCompleted();
    assertThat(safeTime.promise()).isEqualTo(new SafeTime.Promise(snapshot + 1, 4));
  }

  /** It may not know a source that a later leader knows. */
  @Test
  void aLeaderOfADerivedTabletForgetsItsFeedWithTheLeadership() {
    SafeTime safeTime = new SafeTime(clock, true, 100, 4, Runnable::run, asked::incrementAndGet);
    safeTime.lead(true);
    safeTime.fed(200);
    assertThat(safeTime.now()).isEqualTo(200);
    safeTime.follow();
    safeTime.fed(300);
    assertThat(safeTime.now()).isEqualTo(100);
    safeTime.lead(true);
    assertThat(safeTime.now()).isEqualTo(100);
    safeTime.applied(5, 250);
    assertThat(safeTime.now()).isEqualTo(250);
  }

  /** The follower's clock may be behind timestamps that other clients saw long ago. */
  @Test
  void aFollowerAsksTheLeaderForTheLatest() {
    SafeTime safeTime = new SafeTime(clock, false, 0, 4, Runnable::run, asked::incrementAndGet);
    long others = clock.now() + (2_000_000L << 12);
    safeTime.applied(5, others);
    var first = safeTime.whenLatestIsReadable(0, 10_000_000_000L);
    assertThat(first).isNotDone();
    SafeTime.Wanted question = safeTime.wanted();
    var second = safeTime.whenLatestIsReadable(0, 10_000_000_000L);
    safeTime.snapshotNamed(question, others + 10);
    safeTime.promised(new SafeTime.Promise(others + 20, 5));
    assertThat(first).isCompletedWithValue(others + 10);
    assertThat(second).as("arrived while the request was in flight").isNotDone();
    safeTime.snapshotNamed(safeTime.wanted(), others + 30);
    assertThat(second).isNotDone();
    safeTime.promised(new SafeTime.Promise(others + 40, 5));
    assertThat(second).isCompletedWithValue(others + 30);
  }

  /**
   * A leader is deposed before it proves a snapshot. Meanwhile other clients have seen writes with
   * later timestamps, so the next leader chooses another snapshot.
   */
  @Test
  void aSnapshotThatADeposedLeaderCouldNotProveIsReplaced() {
    SafeTime safeTime = new SafeTime(clock, false, 0, 4, Runnable::run, asked::incrementAndGet);
    safeTime.lead(false);
    var latest = safeTime.whenLatestIsReadable(0, 10_000_000_000L);
    safeTime.follow();
    long others = clock.now() + (2_000_000L << 12);
    safeTime.promised(new SafeTime.Promise(others, 4));
    assertThat(latest).isNotDone();
    safeTime.snapshotNamed(safeTime.wanted(), others - 1);
    assertThat(latest).isCompletedWithValue(others - 1);
  }

  @Test
  void waitersGetASnapshotWhenTheirReplicaBeginsToLead() {
    SafeTime safeTime = new SafeTime(clock, false, 0, 4, Runnable::run, asked::incrementAndGet);
    long before = clock.now();
    var latest = safeTime.whenLatestIsReadable(before, 10_000_000_000L);
    safeTime.lead(true);
    assertThat(latest).isCompletedWithValueMatching(snapshot -> snapshot > before);
  }

  /** Whoever leads: only the feed moves it. */
  @Test
  void theSafeTimeOfADerivedTabletIsThatOfItsFeed() {
    SafeTime safeTime = new SafeTime(clock, true, 100, -1, Runnable::run, asked::incrementAndGet);
    assertThat(safeTime.now()).isEqualTo(100);
    safeTime.lead(true);
    assertThat(safeTime.now()).as("the clock is far ahead").isEqualTo(100);
    assertThat(safeTime.whenReadable(100, 10_000_000_000L)).isCompleted();
    var later = safeTime.whenReadable(500, 10_000_000_000L);
    assertThat(safeTime.wanted().snapshot()).isEqualTo(500);
    assertThat(safeTime.waitsForOthers()).as("a leader needs no proof").isFalse();
    assertThat(safeTime.begin(1)).as("an alteration").isNotEqualTo(SafeTime.MUST_WAIT);
    safeTime.applied(0, 100);
    safeTime.applied(1, 499);
    assertThat(later).isNotDone();
    safeTime.follow();
    assertThat(asked).as("a follower asks").hasValue(1);
    safeTime.lead(false);
    assertThat(asked).hasValue(1);
    safeTime.applied(2, 500);
    assertThat(later).isCompleted();
    assertThat(safeTime.mayPrepare(clock.now() + SECOND, 0)).isEqualTo(Answer.REFUSE);
    assertThat(safeTime.prepare(clock.now() + SECOND, 0)).isEqualTo(SafeTime.MUST_WAIT);
    safeTime.follow();
    assertThat(safeTime.now()).isEqualTo(500);
  }

  private static final long SECOND = HybridTime.ofMicros(1_000_000);

  private SafeTime leading() {
    SafeTime safeTime = new SafeTime(clock, false, 0, -1, Runnable::run, asked::incrementAndGet);
    safeTime.lead(true);
    return safeTime;
  }

  @Test
  void nothingIsIssuedFromAReservedTimestampOn() {
    SafeTime safeTime = leading();
    long timestamp = clock.now() + SECOND;
    assertThat(safeTime.mayPrepare(timestamp, 0)).isEqualTo(Answer.LOG);
    assertThat(safeTime.prepare(timestamp, 0)).isLessThan(timestamp);
    assertThat(safeTime.begin(10)).isLessThan(timestamp);
    clock.resumeAfter(timestamp - 5);
    assertThat(safeTime.begin(10)).isEqualTo(SafeTime.MUST_WAIT);
    assertThat(safeTime.mayBegin()).isFalse();
    assertThat(safeTime.mayPrepare(clock.now() - 1, 0)).isEqualTo(Answer.REFUSE);
    assertThat(safeTime.mayPrepare(clock.now() + SECOND, 0)).isEqualTo(Answer.WAIT);
    assertThat(safeTime.prepare(clock.now() + SECOND, 0)).isEqualTo(SafeTime.MUST_WAIT);
    safeTime.reservedAre(timestamp, new long[] {timestamp});
    assertThat(safeTime.mayPrepare(clock.now() + SECOND, timestamp))
        .as("the transaction itself gives up its timestamp")
        .isEqualTo(Answer.LOG);
    assertThat(safeTime.begin(1)).isEqualTo(SafeTime.MUST_WAIT);
    assertThat(safeTime.end(timestamp)).isTrue();
    assertThat(safeTime.begin(1)).isGreaterThan(timestamp);
  }

  @Test
  void noSnapshotAboveAReservedTimestampIsReadable() {
    SafeTime safeTime = leading();
    long timestamp = clock.now() + SECOND;
    long prepared = safeTime.prepare(timestamp, 0);
    safeTime.reservedAre(timestamp, new long[] {timestamp});
    safeTime.applied(1, prepared);
    assertThat(safeTime.whenReadable(timestamp, 10_000_000_000L)).isCompleted();
    var above = safeTime.whenReadable(timestamp + 1, 10_000_000_000L);
    assertThat(above).isNotDone();
    assertThat(safeTime.promise().time()).isEqualTo(timestamp);
    assertThat(safeTime.end(timestamp)).isTrue();
    assertThat(above).isNotDone();
    safeTime.reservedAre(timestamp, new long[] {});
    safeTime.applied(2, timestamp);
    assertThat(above).isCompleted();
  }

  @Test
  void preparedTransactionsEndInOrder() {
    SafeTime safeTime = leading();
    long first = clock.now() + SECOND;
    long second = first + 1;
    safeTime.prepare(second, 0);
    safeTime.prepare(first, 0);
    assertThat(safeTime.end(first)).as("a PREPARE that is not applied").isFalse();
    safeTime.reservedAre(second, new long[] {second});
    safeTime.reservedAre(first, new long[] {first, second});
    assertThat(safeTime.prepare(second, 0)).isEqualTo(SafeTime.MUST_WAIT);
    assertThat(safeTime.end(second)).isFalse();
    assertThat(safeTime.end(first)).isTrue();
    assertThat(safeTime.end(second)).isTrue();
  }

  /** The log would not have ascending timestamps. */
  @Test
  void aTransactionDoesNotEndBehindALaterEntry() {
    SafeTime safeTime = leading();
    long first = clock.now() + SECOND;
    safeTime.applied(1, safeTime.prepare(first, 0));
    safeTime.reservedAre(first, new long[] {first});
    clock.resumeAfter(first);
    long second = clock.now() + SECOND;
    long again = safeTime.prepare(second, first);
    assertThat(again).isGreaterThan(first);
    assertThat(safeTime.end(first)).isFalse();
    safeTime.reservedAre(second, new long[] {second});
    safeTime.applied(2, again);
    assertThat(safeTime.end(first)).isFalse();
    assertThat(safeTime.end(second)).isTrue();
  }

  /** If both waited, the first would wait for the second to end, and the second for the first. */
  @Test
  void theFirstPreparedTransactionMovesWhileLaterOnesWait() {
    SafeTime safeTime = leading();
    long first = clock.now() + SECOND;
    long second = first + 1;
    safeTime.applied(1, safeTime.prepare(first, 0));
    safeTime.reservedAre(first, new long[] {first});
    safeTime.applied(2, safeTime.prepare(second, 0));
    safeTime.reservedAre(second, new long[] {first, second});
    clock.resumeAfter(second);
    assertThat(safeTime.end(second)).isFalse();
    long moved = clock.now() + SECOND;
    assertThat(safeTime.prepare(clock.now() + SECOND, second)).isEqualTo(SafeTime.MUST_WAIT);
    assertThat(safeTime.prepare(moved, first)).as("its own timestamp").isEqualTo(first);
    assertThat(safeTime.end(first)).as("it is given up").isFalse();
    safeTime.reservedAre(moved, new long[] {second, moved});
    safeTime.applied(3, first);
    assertThat(safeTime.end(second)).isTrue();
    safeTime.reservedAre(second, new long[] {moved});
    safeTime.applied(4, second);
    assertThat(safeTime.end(moved)).isTrue();
  }

  @Test
  void noTimestampOfABrokenClockIsReserved() {
    SafeTime safeTime = leading();
    assertThat(safeTime.prepare(clock.now() + 3600 * SECOND, 0)).isEqualTo(SafeTime.MUST_WAIT);
    assertThat(safeTime.begin(1)).isPositive();
  }

  @Test
  void aReservationOutlivesTheLeader() {
    SafeTime safeTime = leading();
    long timestamp = clock.now() + SECOND;
    safeTime.prepare(timestamp, 0);
    safeTime.follow(); // the PREPARE may be lost
    safeTime.lead(true);
    clock.resumeAfter(timestamp);
    assertThat(safeTime.begin(1)).isGreaterThan(timestamp);

    long kept = clock.now() + SECOND;
    safeTime.prepare(kept, 0);
    safeTime.follow();
    safeTime.reservedAre(kept, new long[] {kept}); // it was not lost
    safeTime.lead(true);
    clock.resumeAfter(kept);
    assertThat(safeTime.begin(1)).isEqualTo(SafeTime.MUST_WAIT);
    assertThat(safeTime.prepare(clock.now() + SECOND, kept)).as("another timestamp").isPositive();
  }
}
