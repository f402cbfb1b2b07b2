package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.ReplicaHarness.TABLET;
import static dev.kudu4j.server.replica.ReplicaHarness.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.RaftInternals;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.server.raft.tuning.TuningInternals;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.replica.write.WriteAdmission;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.ratis.server.raftlog.RaftLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TabletReplicaTest {
  @TempDir Path directory;
  private final RecordingState.Disk disk = new RecordingState.Disk();
  private RecordingState state = new RecordingState(disk);
  private ReplicaHarness process;
  private TabletReplica replica;

  @BeforeEach
  void start() throws Exception {
    process = new ReplicaHarness(directory);
    replica = process.create(state);
  }

  @AfterEach
  void stop() {
    process.close();
  }

  private void restartReplica() throws Exception {
    replica.close();
    state = new RecordingState(disk);
    replica = process.open(state);
  }

  private RequestResult write(RequestId id, long... keys) throws Exception {
    return replica.write(insert(id, keys)).get(30, TimeUnit.SECONDS);
  }

  private static RequestId id(long sequence) {
    return new RequestId("client", sequence, sequence);
  }

  @Test
  void writeIsAnsweredOnceApplied() throws Exception {
    long before = process.clock.now();
    RequestResult result = write(id(1), 1, 2, 3);
    assertThat(result.counts().successfulInserts()).isEqualTo(3);
    assertThat(result.timestamp()).isGreaterThan(before).isLessThan(process.clock.now());
    assertThat(state.rows()).containsExactly(1L, 2L, 3L);
    assertThat(replica.isLeader()).isTrue();
  }

  /** The machine may be slow sometimes, but not every time. */
  @Test
  void newGroupOfOneIsReadyWithoutATimeOut() throws Exception {
    List<Long> millis = new ArrayList<>();
    Predicate<Long> soonerThanATimeOut = time -> time < RaftInternals.FIRST_ELECTION_MILLIS;
    for (int i = 0; i < 30 && millis.stream().noneMatch(soonerThanATimeOut); i++) {
      long start = System.nanoTime();
      process.create("%032x".formatted(i), new RecordingState(new RecordingState.Disk()));
      millis.add((System.nanoTime() - start) / 1_000_000);
    }
    assertThat(millis).anyMatch(soonerThanATimeOut);
  }

  @Test
  void concurrentWritersShareEntries() throws Exception {
    int count = 2000;
    List<CompletableFuture<RequestResult>> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      answers.add(replica.write(insert(id(i), i)));
    }
    List<Long> timestamps = new ArrayList<>();
    for (CompletableFuture<RequestResult> answer : answers) {
      timestamps.add(answer.get(30, TimeUnit.SECONDS).timestamp());
    }
    assertThat(state.rows()).containsExactlyElementsOf(LongStream.range(0, count).boxed().toList());
    assertThat(timestamps).isSorted().doesNotHaveDuplicates();
    assertThat(replica.requestsAdmitted()).isEqualTo(count);
    assertThat(replica.entriesSubmitted()).isLessThan(count / 4);
    assertThat(replica.pendingBytes()).isZero();
  }

  @Test
  void retryGetsTheFirstResult() throws Exception {
    CompletableFuture<RequestResult> first = replica.write(insert(id(7), 70));
    CompletableFuture<RequestResult> whileRunning = replica.write(insert(id(7), 70));
    RequestResult answer = first.get(30, TimeUnit.SECONDS);
    assertThat(whileRunning.get(30, TimeUnit.SECONDS)).isEqualTo(answer);
    assertThat(write(id(7), 70)).isEqualTo(answer);
    assertThat(state.rows()).containsExactly(70L);
  }

  @Test
  void retryAfterRestartGetsTheFirstResult() throws Exception {
    RequestResult answer = write(id(7), 70);
    restartReplica();
    assertThat(write(id(7), 70)).isEqualTo(answer);
    replica.flush();
    restartReplica();
    assertThat(write(id(7), 70)).isEqualTo(answer);
    assertThat(state.rows()).containsExactly(70L);
  }

  @Test
  void restartReplaysFromTheCheckpoint() throws Exception {
    write(id(1), 1);
    write(id(2), 2);
    LogPosition checkpoint = replica.flush();
    write(id(3), 3);
    restartReplica();
    assertThat(state.checkpoint()).isEqualTo(checkpoint);
    assertThat(state.rows()).containsExactly(1L, 2L, 3L);
    assertThat(state.entriesApplied).hasValue(1);
    assertThat(write(id(4), 4).counts().successfulInserts()).isEqualTo(1);
  }

  @Test
  void processRestartReplaysUnflushedEntries() throws Exception {
    write(id(1), 1);
    process.close();
    state = new RecordingState(disk);
    process = new ReplicaHarness(directory);
    replica = process.open(state);
    assertThat(state.rows()).containsExactly(1L);
    write(id(2), 2);
    assertThat(state.rows()).containsExactly(1L, 2L);
  }

  @Test
  void flushReleasesTheLog() throws Exception {
    String text = "x".repeat(1 << 16);
    for (int i = 0; i < 160; i++) {
      replica.write(insert(id(i), text, i)).get(30, TimeUnit.SECONDS);
    }
    assertThat(replica.firstLogIndex()).isZero();
    assertThat(replica.unflushedLogBytes()).isGreaterThan(160L << 16);
    replica.flush();
    assertThat(replica.unflushedLogBytes()).isZero();
    await().until(() -> replica.firstLogIndex() > 100);
    restartReplica();
    assertThat(state.rows()).hasSize(160);
  }

  @Test
  void largeRequestIsSplitAndAnsweredOnce() throws Exception {
    long[] keys = LongStream.range(0, 5000).toArray();
    RequestResult result =
        replica.write(insert(id(1), "y".repeat(1000), keys)).get(30, TimeUnit.SECONDS);
    assertThat(result.counts().successfulInserts()).isEqualTo(5000);
    assertThat(state.rows()).hasSize(5000).doesNotHaveDuplicates().isSorted();
    assertThat(replica.entriesSubmitted()).isGreaterThan(4);
    assertThat(replica.pendingBytes()).isZero();
  }

  @Test
  void resultsOfALargeRequestWithoutAnIdAreMerged() throws Exception {
    long[] keys = LongStream.range(0, 3000).toArray();
    RequestResult result =
        replica.write(insert(null, "y".repeat(1000), keys)).get(30, TimeUnit.SECONDS);
    assertThat(result.counts().successfulInserts()).isEqualTo(3000);
    assertThat(replica.entriesSubmitted()).isGreaterThan(2);
  }

  @Test
  void rowLargerThanAnEntryIsRejected() {
    assertThatThrownBy(
            () -> replica.write(insert(id(1), "y".repeat(1 << 20), 1)).get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.INVALID_ARGUMENT));
    assertThat(replica.pendingBytes()).isZero();
    assertThat(replica.isLeader()).isTrue();
  }

  @Test
  void expiredWriteIsNotLogged() {
    WriteSubmission late = insert(id(1), 1);
    WriteSubmission expired =
        new WriteSubmission(
            late.id(),
            late.schemaVersion(),
            late.columnIds(),
            late.rows(),
            System.nanoTime() - 1,
            late.term());
    assertThatThrownBy(() -> replica.write(expired).get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.TIMED_OUT));
    assertThat(state.rows()).isEmpty();
    assertThat(replica.pendingBytes()).isZero();
  }

  @Test
  void failureToApplyFailsThisReplicaOnly() throws Exception {
    RecordingState other = new RecordingState(new RecordingState.Disk());
    TabletReplica healthy = process.create("ff" + TABLET.substring(2), other);
    state.failure = KuduException.corruption("Broken for the test");
    assertThatThrownBy(() -> write(id(1), 1)).isInstanceOf(ExecutionException.class);
    await().until(() -> replica.lifeCycleState() == TabletReplica.State.FAILED);
    assertThat(replica.reason()).hasMessageContaining("Broken for the test");
    assertThatThrownBy(() -> write(id(2), 2)).hasRootCauseMessage("Broken for the test");
    healthy.write(insert(id(1), 5)).get(30, TimeUnit.SECONDS);
    assertThat(other.rows()).containsExactly(5L);
  }

  @Test
  void snapshotIsReadableOnceAllEarlierOpsAreApplied() throws Exception {
    long future = process.clock.now() + (500_000L << 12);
    replica.safeTime().whenReadable(future, TimeUnit.SECONDS.toNanos(30)).get();
    RequestResult later = write(id(1), 1);
    assertThat(later.timestamp()).isGreaterThanOrEqualTo(future);
    assertThat(replica.safeTime().now()).isGreaterThan(later.timestamp());
    assertThatThrownBy(
            () ->
                replica
                    .safeTime()
                    .whenReadable(process.clock.now() + (3600_000_000L << 12), 1_000_000_000L)
                    .get())
        .cause()
        .isInstanceOf(KuduException.class);
  }

  @Test
  void viewHasTheOnlyMemberAsLeader() {
    ConsensusView view = replica.consensus();
    assertThat(view.isLeader()).isTrue();
    assertThat(view.leaderUuid()).isEqualTo(ReplicaHarness.SERVER);
    assertThat(view.members())
        .singleElement()
        .satisfies(member -> assertThat(member.serverUuid()).isEqualTo(ReplicaHarness.SERVER));
    assertThat(view.term()).isPositive();
  }

  @Test
  void replicaWithoutALogIsNotFound() {
    RecordingState empty = new RecordingState(new RecordingState.Disk());
    assertThatThrownBy(() -> TabletReplica.open("ee".repeat(16), process.environment, empty))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NOT_FOUND));
    assertThat(empty.closed).isTrue();
  }

  @Test
  void occupiedPortIsReported() {
    RaftHost.Peer self = process.raft.self();
    assertThatThrownBy(
            () ->
                RaftHost.start(
                    RaftOptions.DEFAULT,
                    "bb".repeat(16),
                    directory.resolve("other"),
                    new InetSocketAddress(self.host(), self.port()),
                    self.host(),
                    Optional.empty()))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining(Integer.toString(self.port()));
  }

  @Test
  void deletedReplicaLeavesNoLog() throws Exception {
    write(id(1), 1);
    replica.closeAndDeleteLog();
    assertThat(state.closed).isTrue();
    assertThat(directory.resolve(RaftLogs.groupId(TABLET).getUuid().toString())).doesNotExist();
    replica = process.create(new RecordingState(new RecordingState.Disk()));
    assertThat(replica.isLeader()).isTrue();
  }

  private Path openLogFile() throws IOException {
    Path log = directory.resolve(RaftLogs.groupId(TABLET).getUuid().toString()).resolve("current");
    try (Stream<Path> files = Files.list(log)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("log_inprogress_"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static byte[] withoutZeros(byte[] bytes) {
    int end = bytes.length;
    while (bytes[end - 1] == 0) {
      end--;
    }
    return Arrays.copyOf(bytes, end);
  }

  @Test
  void partiallyWrittenRecordIsTruncated() throws Exception {
    List<Long> acknowledged = new ArrayList<>();
    int parts = 8;
    for (int part = 1; part < parts; part++) {
      write(id(2L * part), part);
      acknowledged.add((long) part);
      int before = withoutZeros(Files.readAllBytes(openLogFile())).length;
      replica.write(insert(id(2 * part + 1), "x".repeat(300), -part)).get(30, TimeUnit.SECONDS);
      byte[] after = withoutZeros(Files.readAllBytes(openLogFile()));
      replica.close();
      int written = part == 1 ? before + 1 : before + (after.length - before) * part / parts;
      Files.write(openLogFile(), Arrays.copyOf(Arrays.copyOf(after, written), 64 << 10));
      state = new RecordingState(disk);
      replica = process.open(state);
      assertThat(state.rows()).isEqualTo(acknowledged);
    }
  }

  /** A process was killed when space was reserved for large entries, and none of them written. */
  @Test
  void zerosAfterALargeRecordAreTruncated() throws Exception {
    int large = RaftOptions.DEFAULT.maxEntryBytes() * 3 / 4;
    replica.write(insert(id(1), "x".repeat(large), 1)).get(30, TimeUnit.SECONDS);
    byte[] log = withoutZeros(Files.readAllBytes(openLogFile()));
    replica.close();
    int reserved = 2 * RaftOptions.DEFAULT.maxEntryBytes();
    Files.write(openLogFile(), Arrays.copyOf(log, log.length + reserved));
    state = new RecordingState(disk);
    replica = process.open(state);
    write(id(2), 2);
    restartReplica();
    assertThat(state.rows()).containsExactly(1L, 2L);
  }

  @Test
  void corruptionBeforeOtherRecordsIsRejected() throws Exception {
    for (int i = 1; i <= 5; i++) {
      replica.write(insert(id(i), "x".repeat(300), i)).get(30, TimeUnit.SECONDS);
    }
    byte[] log = Files.readAllBytes(openLogFile());
    replica.close();
    log[withoutZeros(log).length / 2] ^= 1;
    Files.write(openLogFile(), log);
    RecordingState damaged = new RecordingState(disk);
    assertThatThrownBy(() -> process.open(damaged)).isInstanceOf(IOException.class);
    assertThat(damaged.closed).isTrue();
  }

  @Test
  void writesWaitForAFlushWhileMemoryIsFull() throws Exception {
    AtomicLong used = new AtomicLong();
    ReplicaEnvironment small =
        new ReplicaEnvironment(
            process.raft,
            process.clock,
            new WriteAdmission(1 << 20, used::get, 10_000, 10_000, () -> 1),
            process.executor,
            System::nanoTime,
            ReplicaOptions.DEFAULT);
    RecordingState rows = new RecordingState(new RecordingState.Disk());
    TabletReplica other =
        TabletReplica.create("ab".repeat(16), small, rows, List.of(process.raft.self()));
    other.whenLeader().get(30, TimeUnit.SECONDS);
    other.write(insert(id(1), 1)).get(30, TimeUnit.SECONDS);
    used.set(10_000);
    assertThatThrownBy(() -> other.write(insert(id(2), 2)).get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.SERVICE_UNAVAILABLE))
        .hasMessageContaining("being flushed");
    used.set(0);
    other.write(insert(id(2), 2)).get(30, TimeUnit.SECONDS);
    assertThat(rows.rows()).containsExactly(1L, 2L);
    assertThat(other.pendingBytes()).isZero();
  }

  /** If this fails, a new version of Ratis has other fields: see {@code DeferredLogSync}. */
  @Test
  void logIsNotSyncedAfterEachEntry() throws Exception {
    RaftLog log = RaftInternals.division(process.raft, TABLET).getRaftLog();
    assertThat(TuningInternals.canPutOffSyncs(log)).isTrue();
    for (int i = 0; i < 50; i++) {
      replica.write(insert(id(i), "x".repeat(1 << 18), i)).get(30, TimeUnit.SECONDS);
    }
    assertThat(TuningInternals.hasProcessorsChecksum(log)).isTrue();
    restartReplica(); // which verifies the checksums with Ratis' own code
    assertThat(state.rows()).hasSize(50);
  }
}
