package dev.kudu4j.tserver;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.proto.consensus.StartTabletCopyResponsePB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB.Code;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.rpc.RpcRequestId;
import dev.kudu4j.server.metrics.model.MetricCatalog;
import dev.kudu4j.tablet.check.TabletChecker;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.superblock.TombstoneFile;
import dev.kudu4j.tserver.CopyServer.Content;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tablet copies between two servers, with every kind of failure. */
@Timeout(180)
class TabletCopyTest {
  private static final String SMALL_CHUNKS = "--tablet_copy_transfer_chunk_size_bytes=65536";

  @TempDir Path directory;
  private CopyServer source;
  private CopyServer target;

  @BeforeEach
  void start() {
    source = new CopyServer(directory.resolve("source"), SMALL_CHUNKS);
    target = new CopyServer(directory.resolve("target"), SMALL_CHUNKS);
    source.createTablet();
  }

  @AfterEach
  void stop() {
    target.close();
    source.close();
  }

  /** Rowsets of 300 KB each: a file of 5 chunks. */
  private void fillSource(int rowSets) {
    for (int i = 0; i < rowSets; i++) {
      assertThat(source.insert(300 * i, 300 * (i + 1)).getPerRowErrorsCount()).isZero();
      source.flush();
    }
  }

  private static void assertBegun(StartTabletCopyResponsePB answer) {
    assertThat(answer.hasError()).as(answer.toString()).isFalse();
  }

  /** Checks every byte and every invariant of the target's directory. */
  private void verifyTarget() throws IOException {
    target.stop();
    try (BufferAllocator allocator = Allocators.root(256L << 20)) {
      TabletChecker.verify(
          new TabletEnvironment(
              new LocalFileStore(),
              tabletDirectory(target),
              allocator,
              CrashPoints.NONE,
              new Random(1),
              () -> 0,
              TabletOptions.DEFAULT));
    }
    target.start();
  }

  private static Path tabletDirectory(CopyServer server) {
    return server.directory().resolve("data").resolve(CopyServer.TABLET);
  }

  @Test
  void aCopyHasTheRowsAndCachedResultsOfItsSource() throws IOException {
    fillSource(3);
    RpcRequestId id = new RpcRequestId("client", 1, 1, 1);
    WriteResponsePB answer = source.insert(800, 950, id);
    assertThat(answer.getPerRowErrorsCount()).isEqualTo(100);
    source.flush();

    assertBegun(target.copyFrom(source));
    target.awaitRunning();

    assertThat(target.content())
        .isEqualTo(source.content())
        .extracting(Content::rows)
        .isEqualTo(950L);
    var remembered =
        target.tablet().tablet().cachedResult(new dev.kudu4j.tablet.log.RequestId("client", 1, 1));
    assertThat(remembered.errors()).hasSize(100);
    assertThat(target.status().getTabletDataState()).isEqualTo(TabletDataState.TABLET_DATA_READY);
    assertThat(source.metric(MetricCatalog.TABLET_COPY_BYTES_SENT))
        .isEqualTo(target.metric(MetricCatalog.TABLET_COPY_BYTES_FETCHED))
        .isGreaterThan(900_000);
    await().until(() -> source.metric(MetricCatalog.TABLET_COPY_OPEN_SOURCE_SESSIONS) == 0);
    verifyTarget();
    target.awaitRunning(); // a restart finds a replica
    assertThat(target.content().rows()).isEqualTo(950);
  }

  @Test
  void writesFlushesAndCompactionsContinueDuringACopy() throws Exception {
    fillSource(6);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger failures = new AtomicInteger();
    Thread busy =
        new Thread(
            () -> {
              for (int i = 0; !done.get(); i++) {
                int from = 10_000 + 50 * i;
                failures.addAndGet(source.insert(from, from + 50).getPerRowErrorsCount());
                source.flush();
                try {
                  source.tablet().maintained().compactFully();
                } catch (IOException e) {
                  failures.incrementAndGet();
                }
              }
            });
    try (FaultySource slow = new FaultySource(source.address())) {
      busy.start();
      assertBegun(target.copyFrom(source.uuid(), slow.address(), source.term()));
      target.awaitRunning();
    } finally {
      done.set(true);
      busy.join();
    }
    assertThat(failures).hasValue(0);
    long seen = target.tablet().tablet().maxTimestamp() + 1;
    assertThat(target.content()).isEqualTo(source.content(seen));
    assertThat(target.content().rows()).isGreaterThanOrEqualTo(1800);
    verifyTarget();
  }

  @Test
  void aSourceThatRestartsHalfWaySendsOnlyTheRest() throws IOException {
    fillSource(6);
    try (FaultySource proxy = new FaultySource(source.address())) {
      proxy.breaksDownAfter(18); // three files of 5 chunks, and a part
      assertBegun(target.copyFrom(source.uuid(), proxy.address(), source.term()));
      await().until(proxy::isDown);
      await().until(() -> target.status().getLastStatus().contains("waiting for the source"));
      assertThat(target.status().getTabletDataState())
          .isEqualTo(TabletDataState.TABLET_DATA_COPYING);
      int whole = completeFiles();
      assertThat(whole).isBetween(1, 5);
      proxy.takeFetchedFiles();
      source.stop();
      source.start();
      source.awaitLeader();

      proxy.standsBefore(source.address());
      target.awaitRunning();
      assertThat(proxy.takeFetchedFiles()).hasSize(allFiles() - whole);
    }
    assertThat(target.content()).isEqualTo(source.content());
    verifyTarget();
  }

  @Test
  void aTargetThatRestartsHalfWayIsATombstoneAndFetchesOnlyTheRest() throws IOException {
    fillSource(6);
    try (FaultySource proxy = new FaultySource(source.address())) {
      proxy.breaksDownAfter(18);
      assertBegun(target.copyFrom(source.uuid(), proxy.address(), source.term()));
      await().until(() -> target.status().getLastStatus().contains("waiting for the source"));
      target.stop();
      target.start();
      assertThat(target.status().getTabletDataState())
          .isEqualTo(TabletDataState.TABLET_DATA_TOMBSTONED);
      assertThat(target.status().getState()).isEqualTo(TabletStatePB.STOPPED);
      int whole = completeFiles();
      assertThat(whole).isBetween(1, 5);
      long wholeBytes = bytesOfCompleteFiles();
      source.insert(5000, 5010); // the source has continued
      source.flush();
      proxy.standsBefore(source.address());
      proxy.takeFetchedFiles();

      assertBegun(target.copyFrom(source.uuid(), proxy.address(), source.term()));
      target.awaitRunning();
      assertThat(proxy.takeFetchedFiles()).hasSize(allFiles() - whole);
      assertThat(target.metric(MetricCatalog.TABLET_COPY_BYTES_FETCHED))
          .isEqualTo(allBytes() - wholeBytes);
    }
    assertThat(target.content()).isEqualTo(source.content());
    assertThat(Files.exists(tabletDirectory(target).resolve(TombstoneFile.NAME))).isFalse();
    verifyTarget();
  }

  private int completeFiles() throws IOException {
    return new TombstoneFile(new LocalFileStore(), tabletDirectory(target))
        .read()
        .getCopy()
        .getFilesCount();
  }

  private long bytesOfCompleteFiles() throws IOException {
    return new TombstoneFile(new LocalFileStore(), tabletDirectory(target))
        .read().getCopy().getFilesList().stream().mapToLong(file -> file.getBytes()).sum();
  }

  private int allFiles() {
    try (var pinned = source.tablet().tablet().pinCheckpoint()) {
      return pinned.files().size();
    }
  }

  private long allBytes() {
    try (var pinned = source.tablet().tablet().pinCheckpoint()) {
      return pinned.files().values().stream().mapToLong(file -> file.fileBytes()).sum();
    }
  }

  @Test
  void aCopyWithoutItsGroupIsCompletedWithoutFetchingFilesAgain() throws IOException {
    fillSource(3);
    assertBegun(target.copyFrom(source));
    target.awaitRunning();
    target.stop();
    // as after a kill between the superblock and the group
    TombstoneFile tombstone = new TombstoneFile(new LocalFileStore(), tabletDirectory(target));
    var note = dev.kudu4j.tablet.proto.TombstonePB.newBuilder();
    note.setTabletId(CopyServer.TABLET).setLastLoggedTerm(0).setLastLoggedIndex(-1);
    try (var pinned = source.tablet().tablet().pinCheckpoint()) {
      note.getCopyBuilder()
          .setSourceUuid(source.uuid())
          .setLineage(pinned.superblock().getLineage());
      pinned
          .files()
          .forEach(
              (name, file) ->
                  note.getCopyBuilder().addFilesBuilder().setName(name).setBytes(file.fileBytes()));
    }
    tombstone.write(note.build());
    target.start();
    target.awaitRunning(); // complete with the log

    target.stop();
    tombstone.write(note.build());
    try (var logs = Files.list(target.directory().resolve("wals"))) {
      for (Path log : logs.toList()) {
        new LocalFileStore().deleteTree(log);
      }
    }
    target.start();
    assertThat(target.status().getTabletDataState())
        .isEqualTo(TabletDataState.TABLET_DATA_TOMBSTONED);
    assertBegun(target.copyFrom(source));
    target.awaitRunning();
    assertThat(target.metric(MetricCatalog.TABLET_COPY_BYTES_FETCHED)).isZero();
    assertThat(target.content()).isEqualTo(source.content());
  }

  @Test
  void aChunkWithAFlippedBitIsRequestedAgainAndThenRejected() {
    fillSource(2);
    try (FaultySource proxy = new FaultySource(source.address())) {
      AtomicInteger chunks = new AtomicInteger();
      proxy.spoils(bytes -> chunks.incrementAndGet() == 3 ? flipped(bytes) : bytes);
      assertBegun(target.copyFrom(source.uuid(), proxy.address(), source.term()));
      target.awaitRunning();
      assertThat(target.content()).isEqualTo(source.content());

      assertThat(target.delete(TabletDataState.TABLET_DATA_DELETED).hasError()).isFalse();
      proxy.spoils(TabletCopyTest::flipped);
      assertBegun(target.copyFrom(source.uuid(), proxy.address(), source.term()));
      await()
          .until(
              () -> target.status().getTabletDataState() == TabletDataState.TABLET_DATA_TOMBSTONED);
      proxy.spoils(bytes -> bytes);
      assertBegun(target.copyFrom(source.uuid(), proxy.address(), source.term()));
      target.awaitRunning();
      assertThat(target.content()).isEqualTo(source.content());
    }
  }

  private static byte[] flipped(byte[] bytes) {
    bytes[bytes.length / 2] ^= 4;
    return bytes;
  }

  @Test
  void aCopyIsThrottled() {
    source.stop();
    source.start("--tablet_copy_throttler_bytes_per_sec=400000");
    source.awaitLeader();
    fillSource(3);
    long begin = System.nanoTime();
    assertBegun(target.copyFrom(source));
    target.awaitRunning();
    double seconds = (System.nanoTime() - begin) / 1e9;
    // the last chunk, and those requested with it, are sent before the throttle's second ends
    assertThat(seconds).isGreaterThan((allBytes() - 5 * 65536) / 400_000.0);
    assertThat(target.content()).isEqualTo(source.content());
  }

  @Test
  void aCopyOverARunningOrNewerReplicaIsRejected() {
    fillSource(2);
    assertThat(
            source
                .copyFrom("00000000000000000000000000000000", target.address(), 99)
                .getError()
                .getCode())
        .isEqualTo(Code.TABLET_ALREADY_EXISTS);
    try (FaultySource proxy = new FaultySource(source.address())) {
      proxy.breaksDownAfter(2);
      assertBegun(target.copyFrom(source.uuid(), proxy.address(), source.term()));
      assertThat(target.copyFrom(source).getError().getCode()).isEqualTo(Code.ALREADY_INPROGRESS);
      proxy.standsBefore(source.address());
      target.awaitRunning();
    }
    long term = source.term();
    assertThat(target.delete(TabletDataState.TABLET_DATA_TOMBSTONED).hasError()).isFalse();
    assertThat(target.tablet().tombstone().lastLogged())
        .isEqualTo(source.tablet().tablet().checkpoint());
    StartTabletCopyResponsePB late =
        target.copyFrom(
            source.uuid(), source.address(), target.tablet().tombstone().lastLogged().term() - 1);
    assertThat(late.getError().getCode()).isEqualTo(Code.INVALID_CONFIG);
    assertThat(late.getRaftAddr().getPort()).isPositive();
    assertBegun(target.copyFrom(source.uuid(), source.address(), term));
    target.awaitRunning();
    assertThat(target.content()).isEqualTo(source.content());
  }

  @Test
  void aSourceBehindTheTombstoneIsRejected() throws IOException {
    fillSource(1);
    assertBegun(target.copyFrom(source));
    target.awaitRunning();
    assertThat(target.delete(TabletDataState.TABLET_DATA_TOMBSTONED).hasError()).isFalse();
    target.stop();
    TombstoneFile file = new TombstoneFile(new LocalFileStore(), tabletDirectory(target));
    file.write(file.read().toBuilder().setLastLoggedIndex(1_000_000).build());
    target.start();
    StartTabletCopyResponsePB behind = target.copyFrom(source);
    assertThat(behind.getError().getStatus().getMessage()).contains("Copy from the leader");
    assertThat(target.tablet().tombstone().lastLogged().index()).isEqualTo(1_000_000);
    assertBegun(target.copyFrom(source.uuid(), source.address(), Long.MAX_VALUE)); // forced
    target.awaitRunning();
  }

  @Test
  void aTombstoneIsReportedAndSurvivesARestart() {
    fillSource(1);
    assertThat(source.delete(TabletDataState.TABLET_DATA_TOMBSTONED).hasError()).isFalse();
    for (int run = 0; run < 2; run++) {
      assertThat(source.status().getTabletDataState())
          .isEqualTo(TabletDataState.TABLET_DATA_TOMBSTONED);
      assertThat(source.status().getTableName()).isEqualTo("t");
      assertThat(source.insert(1, 2).getError().getCode()).isEqualTo(Code.TABLET_NOT_FOUND);
      assertThat(source.create().getError().getCode()).isEqualTo(Code.TABLET_ALREADY_EXISTS);
      source.stop();
      source.start();
    }
    assertThat(source.delete(TabletDataState.TABLET_DATA_TOMBSTONED).hasError()).isFalse();
    assertThat(source.delete(TabletDataState.TABLET_DATA_DELETED).hasError()).isFalse();
    assertThat(source.tablet()).isNull();
    assertThat(Files.exists(tabletDirectory(source))).isFalse();
    assertThat(source.delete(TabletDataState.TABLET_DATA_TOMBSTONED).getError().getCode())
        .isEqualTo(Code.TABLET_NOT_FOUND);
  }

  @Test
  void aReplicaThatHasFailedIsReplacedByACopy() throws IOException {
    fillSource(2);
    assertBegun(target.copyFrom(source));
    target.awaitRunning();
    target.stop();
    Path broken = tabletDirectory(target).resolve("superblock");
    byte[] bytes = Files.readAllBytes(broken);
    bytes[bytes.length / 2] ^= 1;
    Files.write(broken, bytes);
    target.start();
    assertThat(target.status().getState()).isEqualTo(TabletStatePB.FAILED);
    assertBegun(target.copyFrom(source));
    target.awaitRunning();
    assertThat(target.content()).isEqualTo(source.content());

    // and one that fails while it runs
    target
        .tablet()
        .replica()
        .failIfCorrupt(dev.kudu4j.common.status.KuduException.corruption("a page is corrupt"));
    assertThat(target.status().getState()).isEqualTo(TabletStatePB.FAILED);
    assertBegun(target.copyFrom(source));
    target.awaitRunning();
    assertThat(target.content()).isEqualTo(source.content());
    assertThat(Set.of(target.status().getTabletDataState()))
        .containsExactly(TabletDataState.TABLET_DATA_READY);
  }

  /** The disk is full for a while: a tombstone cannot be written at first, but later. */
  @Test
  void aReplicaWhoseTombstoneCannotBeWrittenIsReplacedLater() throws IOException {
    fillSource(2);
    assertBegun(target.copyFrom(source));
    target.awaitRunning();
    Path inTheWay = Files.createDirectories(tabletDirectory(target).resolve("tombstone"));
    Path kept = Files.createFile(inTheWay.resolve("kept"));
    target
        .tablet()
        .replica()
        .failIfCorrupt(dev.kudu4j.common.status.KuduException.corruption("a page is corrupt"));
    assertThat(target.copyFrom(source).hasError()).isTrue();
    assertThat(target.status().getState()).isEqualTo(TabletStatePB.FAILED);
    assertThat(target.delete(TabletDataState.TABLET_DATA_TOMBSTONED).hasError()).isTrue();
    assertThat(target.status().getState()).isEqualTo(TabletStatePB.FAILED);

    Files.delete(kept);
    Files.delete(inTheWay);
    assertBegun(target.copyFrom(source));
    target.awaitRunning();
    assertThat(target.content()).isEqualTo(source.content());
  }
}
