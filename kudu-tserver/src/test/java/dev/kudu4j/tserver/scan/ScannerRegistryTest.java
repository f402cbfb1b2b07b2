package dev.kudu4j.tserver.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.Caller;
import dev.kudu4j.common.rpc.Role;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tablet.scan.source.ScanWork;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.tablets.ScanCounts;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scanners belong to the user who opened them, expire when idle, and take calls in sequence. */
class ScannerRegistryTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong ttlMillis = new AtomicLong(40);
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ScanCounts counts = new ScanCounts();
  private final ScanHistory history = new ScanHistory(() -> 2);
  private final ScannerRegistry registry =
      new ScannerRegistry(ttlMillis::get, history, nanos::get, timer);

  @AfterEach
  void stop() {
    registry.close();
    timer.shutdownNow();
  }

  /** A scan without rows that records its close. */
  private static final class EmptyScan implements TabletScanner {
    private final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public boolean next(ColumnBatch out, long softLimitBytes) {
      return false;
    }

    @Override
    public byte[] lastKey() {
      return null;
    }

    @Override
    public long rowsScanned() {
      return 0;
    }

    @Override
    public ScanWork work() {
      return new ScanWork();
    }

    @Override
    public long bytesRead() {
      return 0;
    }

    @Override
    public void close() {
      assertThat(closed.getCount()).as("closed once").isEqualTo(1);
      closed.countDown();
    }
  }

  private ScanTrace trace(String id) {
    ScanTrace.Query query =
        new ScanTrace.Query(
            "SELECT",
            "flights",
            new Schema(List.of()),
            List.of(),
            null,
            null,
            null,
            null,
            null,
            0,
            false,
            Long.MAX_VALUE,
            1);
    Caller alice =
        new Caller("alice", InetSocketAddress.createUnresolved("localhost", 1), Set.of(Role.USER));
    return new ScanTrace(id, "tablet", alice, counts, query, "", nanos.get());
  }

  private OpenScanner open(EmptyScan scan) {
    OpenScanner scanner =
        new OpenScanner(trace("id"), scan, new Schema(List.of()), 0, false, List.of(), nanos.get());
    scanner.enterFirst();
    registry.add(scanner);
    scanner.endCall(true, true);
    return scanner;
  }

  @Test
  void anUnusedScannerExpires() throws Exception {
    EmptyScan scan = new EmptyScan();
    open(scan);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(41));
    assertThat(scan.closed.await(60, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(() -> registry.find("id", "alice"))
        .isInstanceOfSatisfying(
            TabletServerError.class,
            e -> assertThat(e.errorCode()).isEqualTo(TabletServerErrorPB.Code.SCANNER_EXPIRED));
  }

  @Test
  void anotherUsersScannerIsRefused() {
    open(new EmptyScan());
    assertThatThrownBy(() -> registry.find("id", "mallory"))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NOT_AUTHORIZED));
  }

  @Test
  void callsMustBeInSequence() {
    OpenScanner scanner = open(new EmptyScan());
    scanner.enter(1);
    scanner.endCall(true, false);
    assertThatThrownBy(() -> scanner.enter(1))
        .isInstanceOfSatisfying(
            TabletServerError.class,
            e ->
                assertThat(e.errorCode())
                    .isEqualTo(TabletServerErrorPB.Code.INVALID_SCAN_CALL_SEQ_ID));
    scanner.enter(2);
    assertThatThrownBy(() -> scanner.enter(3)).isInstanceOf(TabletServerError.class);
    scanner.endCall(true, false);
  }

  @Test
  void closingWaitsForTheRunningCall() {
    EmptyScan scan = new EmptyScan();
    OpenScanner scanner = open(scan);
    scanner.enter(1);
    registry.remove(scanner, ScanTrace.State.CLOSED);
    assertThat(scan.closed.getCount()).isEqualTo(1);
    scanner.endCall(true, false);
    assertThat(scan.closed.getCount()).isZero();
  }

  @Test
  void removingATabletClosesItsScanners() {
    EmptyScan scan = new EmptyScan();
    open(scan);
    registry.removeAll("another");
    assertThat(registry.count()).isEqualTo(1);
    registry.removeAll("tablet");
    assertThat(registry.count()).isZero();
    assertThat(scan.closed.getCount()).isZero();
  }

  @Test
  void theLatestEndedScansAreKeptNewestFirst() {
    for (String id : List.of("a", "b", "c")) {
      OpenScanner scanner =
          new OpenScanner(
              trace(id), new EmptyScan(), new Schema(List.of()), 0, false, List.of(), 0);
      assertThat(counts.active()).isEqualTo(1);
      registry.remove(scanner, ScanTrace.State.COMPLETE);
      registry.remove(scanner, ScanTrace.State.FAILED); // the first reported state counts
      assertThat(counts.active()).isZero();
    }
    assertThat(history.ended()).extracting(ScanTrace::id).containsExactly("c", "b");
    assertThat(history.ended()).extracting(ScanTrace::state).containsOnly(ScanTrace.State.COMPLETE);
    assertThat(history.durations().snapshot().count()).isEqualTo(3);
  }
}
