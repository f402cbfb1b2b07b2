package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.ReplicaHarness.TABLET;
import static dev.kudu4j.server.replica.ReplicaHarness.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.server.replica.write.LockedByTransactionException;
import dev.kudu4j.server.replica.write.WaitingWrites;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.memory.Allocators;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions in one tablet with one replica: its log, its clock and its writers. */
class TransactionParticipantTest {
  private static final Schema SCHEMA =
      new Schema(
              List.of(
                  ColumnSchema.builder("key", DataType.INT64).key(true).build(),
                  ColumnSchema.builder("text", DataType.STRING).nullable(true).build()))
          .withFreshIds();

  @TempDir Path directory;
  private final BufferAllocator allocator = Allocators.root(1L << 30);
  private ReplicaHarness process;
  private Tablet tablet;
  private TabletReplica replica;
  private long sequence;

  @BeforeEach
  void start() throws Exception {
    process = new ReplicaHarness(directory.resolve("wals"));
    tablet =
        Tablet.create(
            environment(),
            new TabletDescriptor(
                TABLET, "ab".repeat(16), "table", SCHEMA, 0, Map.<String, byte[]>of()));
    replica = process.create(ReplicaState.of(tablet));
  }

  @AfterEach
  void stop() {
    process.close();
    replica.close();
    allocator.close();
  }

  private TabletEnvironment environment() {
    return TestTablets.environment(directory.resolve("data"), allocator);
  }

  private void restart() throws Exception {
    replica.close();
    tablet = Tablet.open(environment());
    replica = process.open(ReplicaState.of(tablet));
  }

  private CompletableFuture<RequestResult> write(long... keys) {
    return replica.write(insert(nextId(), keys));
  }

  /** A write that may take 200 ms. */
  private CompletableFuture<RequestResult> writeWithDeadline(long key) {
    WriteSubmission plain = insert(nextId(), key);
    return replica.write(
        new WriteSubmission(
            plain.id(),
            0,
            plain.columnIds(),
            plain.rows(),
            System.nanoTime() + 200_000_000,
            plain.term()));
  }

  private RequestId nextId() {
    return new RequestId("client", ++sequence, 1);
  }

  private CompletableFuture<RequestResult> stage(long transaction, long... keys) {
    return replica.write(insert(nextId(), keys).inTransaction(transaction));
  }

  private CompletableFuture<Void> prepare(long transaction, long timestamp) {
    return replica.transactions().prepare(transaction, timestamp, 1);
  }

  private CompletableFuture<Void> commit(long transaction, long timestamp) {
    return replica.transactions().commit(transaction, timestamp);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  private static void assertFails(CompletableFuture<?> future, StatusCode code) {
    assertThatThrownBy(() -> get(future))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(KuduException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  /** A timestamp that comes in five seconds, unless the clock is moved. */
  private long later() {
    return process.clock.now() + HybridTime.ofMicros(5_000_000);
  }

  private void moveClockPast(long timestamp) {
    process.clock.resumeAfter(timestamp);
  }

  private long rowsAt(long snapshot) throws IOException {
    return TestTablets.rowsAt(tablet, allocator, snapshot);
  }

  @Test
  void rowsAreVisibleFromTheCommitTimestampOn() throws Exception {
    get(write(1));
    assertThat(get(stage(7, 2, 3)).errors()).isEmpty();
    long timestamp = later();
    get(prepare(7, timestamp));
    assertThat(get(write(4)).timestamp()).isLessThan(timestamp);
    assertThat(rowsAt(tablet.latestSnapshot())).isEqualTo(2);
    get(commit(7, timestamp));
    assertThat(rowsAt(timestamp)).isEqualTo(2);
    assertThat(rowsAt(timestamp + 1)).isEqualTo(4);
    assertThat(rowsAt(tablet.latestSnapshot())).isEqualTo(4);
    assertThat(get(write(5)).timestamp()).isGreaterThan(timestamp);
    assertThat(replica.transactions().open()).isEmpty();
  }

  /** A coordinator repeats a step that has not been answered in time; each would be an entry. */
  @Test
  void aRepeatedStepIsLoggedOnce() throws Exception {
    get(stage(7, 2));
    get(stage(8, 3));
    long before = replica.lastLogged().index();
    List<CompletableFuture<Void>> aborts = new ArrayList<>();
    List<CompletableFuture<Void>> prepares = new ArrayList<>();
    long timestamp = later();
    for (int i = 0; i < 500; i++) {
      aborts.add(replica.transactions().abort(7));
      prepares.add(prepare(8, timestamp));
    }
    for (int i = 0; i < 500; i++) {
      get(aborts.get(i));
      get(prepares.get(i));
    }
    // A step that comes after the end of the first one may be logged again.
    assertThat(replica.lastLogged().index() - before).isLessThan(100);
    assertThat(replica.transactions().isOpen(7)).isFalse();
    moveClockPast(timestamp);
    get(commit(8, timestamp));
    assertThat(rowsAt(tablet.latestSnapshot())).isEqualTo(1);
  }

  @Test
  void errorsAreToldWhenRowsAreStaged() throws Exception {
    get(write(1));
    assertThat(get(stage(7, 2, 1, 2)).errors())
        .extracting(error -> error.row(), error -> error.code())
        .containsExactly(
            tuple(1, StatusCode.ALREADY_PRESENT), tuple(2, StatusCode.ALREADY_PRESENT));
    get(replica.transactions().abort(7));
    assertThat(rowsAt(tablet.latestSnapshot())).isEqualTo(1);
    assertThat(get(write(2)).errors()).isEmpty();
    assertThat(get(stage(7, 9)).errors())
        .singleElement()
        .satisfies(error -> assertThat(error.message()).isEqualTo("transaction 7 is not open"));
  }

  @Test
  void writersAndReadersWaitOnceTheCommitTimestampHasCome() throws Exception {
    get(stage(7, 1));
    long timestamp = later();
    get(prepare(7, timestamp));
    CompletableFuture<Void> below = replica.safeTime().whenReadable(timestamp, 30_000_000_000L);
    get(below);
    moveClockPast(timestamp);
    CompletableFuture<RequestResult> late = write(2);
    CompletableFuture<Void> above = replica.safeTime().whenReadable(timestamp + 1, 30_000_000_000L);
    assertFails(prepare(8, later()), StatusCode.SERVICE_UNAVAILABLE); // tried behind the write
    assertThat(late).isNotDone();
    assertThat(above).isNotDone();
    assertThat(replica.safeTime().now()).isLessThanOrEqualTo(timestamp);
    get(commit(7, timestamp));
    assertThat(get(late).timestamp()).isGreaterThan(timestamp);
    get(above);
    assertThat(rowsAt(timestamp + 1)).isEqualTo(1);
  }

  /** Many coordinators that abort would otherwise fill the log while one transaction commits. */
  @Test
  void stepsThatMustWaitCostNoEntries() throws Exception {
    for (int i = 0; i < 50; i++) {
      get(stage(100L + i, i));
    }
    long timestamp = later();
    get(prepare(7, timestamp));
    moveClockPast(timestamp);
    long before = replica.lastLogged().index();
    for (int i = 0; i < 50; i++) {
      replica.transactions().abort(100L + i);
    }
    prepare(8, later());
    assertFails(prepare(9, timestamp), StatusCode.SERVICE_UNAVAILABLE);
    assertThat(replica.lastLogged().index()).isEqualTo(before);
    get(commit(7, timestamp));
    for (int i = 0; i < 50; i++) {
      long transaction = 100L + i;
      repeat(() -> replica.transactions().abort(transaction));
    }
    repeat(() -> prepare(8, later()));
    assertThat(replica.transactions().open()).extracting(open -> open.id()).containsExactly(8L);
  }

  /** As a coordinator does: the step may have waited for too long, and was refused. */
  private static void repeat(Supplier<CompletableFuture<Void>> step) {
    await().until(() -> !step.get().handle((done, failure) -> failure != null).join());
  }

  @Test
  void aStepThatHasWaitedForLongIsRefused() throws Exception {
    get(stage(8, 1));
    long timestamp = later();
    get(prepare(7, timestamp));
    moveClockPast(timestamp);
    assertFails(prepare(9, later()), StatusCode.SERVICE_UNAVAILABLE);
    assertFails(replica.transactions().abort(8), StatusCode.SERVICE_UNAVAILABLE);
    get(commit(7, timestamp));
    get(replica.transactions().abort(8));
  }

  @Test
  void anAbortLetsWritersGo() throws Exception {
    long timestamp = later();
    get(prepare(7, timestamp));
    moveClockPast(timestamp);
    List<CompletableFuture<RequestResult>> late = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      late.add(write(i));
    }
    assertFails(prepare(8, later()), StatusCode.SERVICE_UNAVAILABLE);
    assertThat(late).noneMatch(CompletableFuture::isDone);
    assertThat(replica.transactions().waiting()).isEqualTo(new WaitingWrites(Map.of(), 20));
    get(replica.transactions().abort(7));
    for (CompletableFuture<RequestResult> each : late) {
      assertThat(get(each).errors()).isEmpty();
    }
  }

  @Test
  void aHeldKeyBlocksAWriteUntilTheTransactionHasEnded() throws Exception {
    get(stage(7, 1));
    CompletableFuture<RequestResult> blocked = write(2, 1);
    get(write(3));
    assertThat(blocked).isNotDone();
    assertThat(replica.transactions().waiting()).isEqualTo(new WaitingWrites(Map.of(7L, 1), 0));
    get(replica.transactions().abort(7));
    assertThat(get(blocked).errors()).isEmpty();
    assertThat(replica.transactions().waiting().count()).isZero();

    get(stage(8, 10));
    blocked = write(11, 10);
    get(write(12));
    assertThat(blocked).isNotDone();
    long timestamp = later();
    get(prepare(8, timestamp));
    get(commit(8, timestamp));
    assertThat(get(blocked).errors())
        .singleElement()
        .satisfies(error -> assertThat(error.row()).isEqualTo(1));
  }

  @Test
  void aLargeRequestIsBlockedAsAWhole() throws Exception {
    long last = 4_999;
    get(stage(7, last, 2_500));
    long[] keys = LongStream.range(0, 5_000).toArray();
    CompletableFuture<RequestResult> large = replica.write(insert(nextId(), "z".repeat(800), keys));
    await().until(() -> tablet.statistics().liveRows() > 1_000);
    get(write(10_000));
    assertThat(large).isNotDone();
    assertThat(tablet.statistics().liveRows()).isLessThan(2_502);
    long timestamp = later();
    get(prepare(7, timestamp));
    get(commit(7, timestamp));
    assertThat(get(large).errors())
        .extracting(error -> (long) error.row())
        .containsExactly(2_500L, last);
    assertThat(tablet.statistics().liveRows()).isEqualTo(5_001);
  }

  @Test
  void aBlockedWriteTimesOut() throws Exception {
    get(stage(7, 1));
    CompletableFuture<RequestResult> blocked = writeWithDeadline(1);
    assertFails(blocked, StatusCode.TIMED_OUT);
    assertThat(replica.pendingBytes()).isZero();
  }

  @Test
  void anOlderTransactionWaitsAndAYoungerOneFails() throws Exception {
    get(stage(7, 1));
    assertThatThrownBy(() -> get(stage(8, 2, 1)))
        .cause()
        .isInstanceOf(LockedByTransactionException.class)
        .hasMessageContaining("transaction 7 holds the key");
    CompletableFuture<RequestResult> older = stage(6, 1);
    get(write(3));
    assertThat(older).isNotDone();
    get(replica.transactions().abort(7));
    assertThat(get(older).errors()).isEmpty();
    assertThat(replica.transactions().open())
        .singleElement()
        .satisfies(open -> assertThat(open.id()).isEqualTo(6));
  }

  @Test
  void transactionsCommitInTheOrderOfTheirTimestamps() throws Exception {
    get(stage(7, 1));
    get(stage(8, 2));
    long first = later();
    long second = first + 1000;
    get(prepare(8, second));
    get(prepare(7, first));
    CompletableFuture<Void> later = commit(8, second);
    get(write(3));
    assertThat(later).isNotDone();
    get(commit(7, first));
    get(later);
    assertThat(rowsAt(first + 1)).isEqualTo(2);
    assertThat(rowsAt(second + 1)).isEqualTo(3);
  }

  @Test
  void stepsMayBeRepeated() throws Exception {
    get(stage(7, 1));
    long timestamp = later();
    get(prepare(7, timestamp - 1));
    get(prepare(7, timestamp));
    assertFails(prepare(8, timestamp), StatusCode.SERVICE_UNAVAILABLE);
    assertFails(prepare(8, process.clock.now() - 1), StatusCode.SERVICE_UNAVAILABLE);
    get(prepare(7, timestamp));
    assertFails(commit(7, timestamp - 1), StatusCode.ILLEGAL_STATE);
    get(commit(7, timestamp));
    get(commit(7, timestamp));
    assertFails(prepare(7, later()), StatusCode.ILLEGAL_STATE);
    get(replica.transactions().abort(9));
    assertThat(rowsAt(tablet.latestSnapshot())).isEqualTo(1);
  }

  /** More of them than Raft takes entries under way. */
  @Test
  void refusedStepsDoNotUseUpTheLeader() throws Exception {
    get(prepare(7, later()));
    long taken = replica.transactions().open().get(0).commitTimestamp();
    for (int i = 0; i < 12; i++) {
      List<CompletableFuture<Void>> refused = new ArrayList<>();
      for (int j = 0; j < 100; j++) {
        refused.add(prepare(8 + j, taken));
      }
      for (CompletableFuture<Void> each : refused) {
        assertFails(each, StatusCode.SERVICE_UNAVAILABLE);
      }
    }
    assertThat(get(write(1)).errors()).isEmpty();
    get(commit(7, taken));
  }

  @Test
  void aWriteExpiresWhileATransactionIsAboutToCommit() throws Exception {
    long timestamp = later();
    get(prepare(7, timestamp));
    moveClockPast(timestamp);
    CompletableFuture<RequestResult> late = writeWithDeadline(1);
    assertFails(late, StatusCode.TIMED_OUT);
    assertThat(replica.pendingBytes()).isZero();
    get(commit(7, timestamp));
  }

  /** The first one cannot commit in another tablet, and the second one has ended there. */
  @Test
  void aTransactionThatIsPreparedAgainLetsLaterOnesEnd() throws Exception {
    get(stage(7, 2));
    get(stage(8, 3));
    long first = later();
    long second = first + 1;
    get(prepare(7, first));
    get(prepare(8, second));
    moveClockPast(second);
    CompletableFuture<Void> end = commit(8, second);
    assertThat(end).isNotDone();
    long again = later();
    get(prepare(7, again));
    get(end);
    get(commit(7, again));
    assertThat(rowsAt(second + 1)).isEqualTo(1);
    assertThat(rowsAt(again + 1)).isEqualTo(2);
  }

  /** A later one may have decided to commit at the timestamp of its own PREPARE. */
  @Test
  void aPrepareOfAnEarlierCoordinatorIsRefused() throws Exception {
    get(stage(7, 2));
    long timestamp = later();
    get(replica.transactions().prepare(7, timestamp, 4));
    restart();
    replica.whenLeader().get(30, TimeUnit.SECONDS);
    assertFails(
        replica.transactions().prepare(7, timestamp + 1, 3), StatusCode.SERVICE_UNAVAILABLE);
    get(replica.transactions().prepare(7, timestamp - 1, 5));
    get(commit(7, timestamp - 1));
    assertThat(rowsAt(timestamp)).isEqualTo(1);
  }

  /** The refusal must not spend the timestamp at which the transaction commits. */
  @Test
  void aLatePrepareChangesNothingWhileLaterTransactionsWait() throws Exception {
    get(stage(7, 2));
    get(stage(8, 3));
    long first = later();
    long second = first + 1;
    get(replica.transactions().prepare(7, first, 6));
    get(prepare(8, second));
    moveClockPast(second);
    assertFails(replica.transactions().prepare(7, later(), 5), StatusCode.SERVICE_UNAVAILABLE);
    get(commit(7, first));
    get(commit(8, second));
    assertThat(rowsAt(second + 1)).isEqualTo(2);
  }

  @Test
  void anEarlierTimestampOfALateMessageIsRefused() throws Exception {
    get(stage(7, 2));
    long timestamp = later();
    get(prepare(7, timestamp));
    assertFails(prepare(7, timestamp - 1), StatusCode.SERVICE_UNAVAILABLE);
    get(commit(7, timestamp));
    assertThat(rowsAt(timestamp + 1)).isEqualTo(1);
  }

  @Test
  void aPreparedTransactionSurvivesRestarts() throws Exception {
    get(stage(7, 1));
    long timestamp = later();
    get(prepare(7, timestamp));
    for (boolean flushed : new boolean[] {false, true}) {
      if (flushed) {
        replica.flush();
      }
      restart();
      assertThat(get(write(flushed ? 3 : 2)).timestamp()).isLessThan(timestamp);
      CompletableFuture<RequestResult> blocked = write(1);
      get(prepare(flushed ? 10 : 9, later()));
      assertThat(blocked).isNotDone();
    }
    moveClockPast(timestamp);
    CompletableFuture<RequestResult> late = write(4);
    CompletableFuture<Void> aborted = replica.transactions().abort(9);
    get(commit(7, timestamp));
    get(aborted);
    get(replica.transactions().abort(10));
    get(late);
    assertThat(rowsAt(timestamp + 1)).isEqualTo(3);
  }
}
