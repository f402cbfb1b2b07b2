package dev.kudu4j.server.maintenance;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kudu4j.common.LogCapture;
import dev.kudu4j.server.metrics.model.RecordedReadings;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.Rendered;
import dev.kudu4j.tablet.checkpoint.StoreWork;
import dev.kudu4j.tablet.maintenance.MaintenanceTask.Kind;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** One step at a time, in the test's own thread with simulated time; and once with threads. */
class MaintenanceSchedulerTest {
  private static final long MB = 1 << 20;

  private final List<FakeTablet> tablets = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private volatile boolean memoryShort;
  private final MaintenanceScheduler scheduler = scheduler(1);

  private MaintenanceScheduler scheduler(int threads) {
    return new MaintenanceScheduler(
        () -> tablets,
        new MaintenanceSettings(
            true,
            threads,
            1,
            1000 * MB,
            new MaintenancePolicy(64 * MB, 120_000, 1024 * MB, 128 * MB)),
        () -> memoryShort,
        nanos::get);
  }

  private FakeTablet tablet(String id) {
    FakeTablet tablet = new FakeTablet(id);
    tablets.add(tablet);
    return tablet;
  }

  private void pass(long seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void opsThatAreNotDueAreNotRun() {
    FakeTablet small = tablet("small").holding(MB);
    assertThat(scheduler.runBest()).isFalse();
    assertThat(small.done).isEmpty();
  }

  @Test
  void flushesLargeAndOldMemRowSets() {
    FakeTablet small = tablet("small").holding(1);
    FakeTablet large = tablet("large").holding(70 * MB);
    assertThat(scheduler.runBest()).isTrue();
    assertThat(large.done).containsExactly("flush");
    assertThat(scheduler.runBest()).isFalse();
    pass(121);
    assertThat(scheduler.runBest()).isTrue();
    assertThat(small.done).containsExactly("flush");
    assertThat(scheduler.runBest()).isFalse();
  }

  @Test
  void runsAndDurationsAreMeasuredByKind() {
    FakeTablet tablet = tablet("a").holding(70 * MB);
    tablet.onFlush =
        () ->
            assertThat(RecordedReadings.of(tablet.times()::measure))
                .containsEntry("flush_mrs_running", 1L);
    assertThat(scheduler.runBest()).isTrue();
    assertThat(RecordedReadings.of(tablet.times()::measure))
        .containsEntry("flush_mrs_running", 0L)
        .containsEntry("flush_mrs_duration", 1L)
        .containsEntry("compact_rs_duration", 0L);
    assertThat(RecordedReadings.of(scheduler::measure))
        .containsEntry("maintenance_op_find_best_candidate_duration", 1L);
  }

  @Test
  void theLogHasTheReasonAndTheResultOfEachFlushAndCompaction() {
    FakeTablet tablet = tablet("a").holding(70 * MB);
    tablet.work = new StoreWork(1, 1, 1, 1, 1, 1, 1); // from before the restart
    tablet.onFlush =
        () -> {
          tablet.work = tablet.work.plus(new StoreWork(0, 1, 120_000, 0, 0, 2, 34 * MB));
          pass(3);
        };
    try (LogCapture log = LogCapture.of(MaintenanceScheduler.class)) {
      assertThat(scheduler.runBest()).isTrue();
      assertThat(log.lines())
          .containsExactly(
              "T a P server: Flush of 70.0 MB in memory, which releases 70.0 MB of log: done in"
                  + " 3000 ms (performance, score 6.00), 1 new rowset of 120,000 rows, wrote 2"
                  + " files of 34.0 MB");
      tablet.holding(70 * MB).onFlush =
          () -> {
            throw new IOException("No space left on device");
          };
      assertThat(scheduler.runBest()).isTrue();
      assertThat(log.lines(Level.ERROR))
          .containsExactly(
              "T a P server: Flush of 70.0 MB in memory, which releases 70.0 MB of log: failed,"
                  + " trying again later: java.io.IOException: No space left on device");
    }
  }

  @Test
  void theLogHasTheReplacedAndWrittenRowSetsAndFiles() {
    assertThat(MaintenanceLines.text(new StoreWork(3, 2, 240_000, 9, 40 * MB, 4, 38 * MB)))
        .isEqualTo(
            "3 rowsets became 2 of 240,000 rows, wrote 4 files of 38.0 MB in place of 9 of 40.0"
                + " MB");
    assertThat(MaintenanceLines.text(new StoreWork(0, 0, 0, 5, 2 * MB, 1, MB)))
        .isEqualTo("wrote 1 file of 1.00 MB in place of 5 of 2.00 MB");
    assertThat(MaintenanceLines.text(new StoreWork(0, 0, 0, 2, MB, 0, 0)))
        .isEqualTo("dropped 2 files of 1.00 MB");
    assertThat(MaintenanceLines.text(StoreWork.NONE)).isEqualTo("nothing was left to do");
  }

  @Test
  void theAgeIsResetByAFlush() {
    FakeTablet tablet = tablet("a").holding(1);
    assertThat(scheduler.runBest()).isFalse();
    pass(121);
    assertThat(scheduler.runBest()).isTrue();
    tablet.holding(1);
    assertThat(scheduler.runBest()).isFalse();
    pass(119);
    assertThat(scheduler.runBest()).isFalse();
    pass(2);
    assertThat(scheduler.runBest()).isTrue();
  }

  @Test
  void theFlushOfAnEpochLeavesLaterRowsUnlessMemoryIsShort() {
    FakeTablet tablet = tablet("a").holding(20 * MB);
    assertThat(scheduler.runBest()).isFalse();
    pass(1);
    tablet.epochDelayMillis = 1;
    tablet.holding(21 * MB);
    assertThat(scheduler.runBest()).isTrue();
    assertThat(scheduler.runBest()).isFalse();
    tablet.epochDelayMillis = 1;
    memoryShort = true;
    assertThat(scheduler.runBest()).isTrue();
    assertThat(tablet.done).containsExactly("flush of an epoch", "flush");
  }

  @Test
  void anEpochThatEndsAfterTheLastWriteIsFlushed() {
    FakeTablet tablet = tablet("a");
    assertThat(scheduler.runBest()).isFalse();
    tablet.epochDelayMillis = 1500;
    pass(2); // nothing was written, so the tablet is not looked at every time
    assertThat(scheduler.runBest()).isTrue();
    assertThat(tablet.done).containsExactly("flush of an epoch");
  }

  @Test
  void theLargestMemRowSetIsFlushedWhenMemoryIsShort() {
    FakeTablet small = tablet("small").holding(20 * MB);
    FakeTablet large = tablet("large").holding(30 * MB);
    memoryShort = true;
    assertThat(scheduler.runBest()).isTrue();
    assertThat(large.done).containsExactly("flush");
    assertThat(small.done).isEmpty();
  }

  @Test
  void manySmallMemRowSetsTogetherAreFlushed() {
    for (int i = 0; i < 17; i++) {
      tablet("t" + i).holding(60 * MB);
    }
    assertThat(scheduler.runBest()).isTrue();
    assertThat(scheduler.runBest()).isFalse(); // 960 MB is the limit
  }

  @Test
  void aFailingTabletIsRetriedAfterGrowingPauses() {
    FakeTablet broken = tablet("broken").holding(100 * MB);
    broken.onFlush =
        () -> {
          throw new IOException("no space");
        };
    FakeTablet sound = tablet("sound").holding(70 * MB);
    assertThat(scheduler.runBest()).isTrue();
    assertThat(scheduler.runBest()).isTrue();
    assertThat(sound.done).containsExactly("flush");
    assertThat(scheduler.runBest()).isFalse();
    pass(2);
    assertThat(scheduler.runBest()).isTrue();
    pass(2);
    assertThat(scheduler.runBest()).isFalse();
    pass(2);
    broken.onFlush = () -> {};
    assertThat(scheduler.runBest()).isTrue();
    assertThat(broken.done).containsExactly("flush");
    assertThat(scheduler.view().recent())
        .extracting(MaintenanceJournal.Run::failure)
        .containsExactly(
            null, "java.io.IOException: no space", null, "java.io.IOException: no space");
  }

  @Test
  void compactionsPauseAfterEachOtherButFlushesDoNot() {
    FakeTablet tablet = tablet("a");
    tablet.tasks =
        List.of(
            new FakeTask(
                Kind.ROWSET_COMPACTION,
                1,
                MB,
                () -> {
                  pass(2);
                  tablet.did("compaction");
                }));
    assertThat(scheduler.runBest()).isTrue();
    tablet.tasks = List.of(FakeTask.compaction(tablet, "second"));
    assertThat(scheduler.runBest()).isFalse();
    FakeTablet large = tablet("large").holding(70 * MB);
    assertThat(scheduler.runBest()).isTrue();
    assertThat(large.done).containsExactly("flush");
    pass(1);
    assertThat(scheduler.runBest()).isTrue();
    assertThat(tablet.done).containsExactly("compaction", "second");
  }

  @Test
  void candidatesAreRecomputedAfterAChangeOrAPause() {
    FakeTablet tablet = tablet("a");
    scheduler.runBest();
    scheduler.runBest();
    assertThat(tablet.asked).isEqualTo(1);
    tablet.rowSets = 1;
    pass(2); // nothing was written, so the tablet is not looked at every time
    scheduler.runBest();
    assertThat(tablet.asked).isEqualTo(2);
    pass(11);
    scheduler.runBest();
    assertThat(tablet.asked).isEqualTo(3);
  }

  @Test
  void tablesMayDisableCompaction() {
    FakeTablet tablet = tablet("a");
    tablet.maintenanceConfig = new TableMaintenanceConfig(java.util.OptionalLong.empty(), 0, true);
    tablet.tasks = List.of(FakeTask.compaction(tablet, "unwanted"));
    assertThat(scheduler.runBest()).isFalse();
  }

  @Test
  void aFailingTabletDoesNotAffectOthers() {
    tablets.add(
        new FakeTablet("broken") {
          @Override
          public List<dev.kudu4j.tablet.maintenance.MaintenanceTask> tasks(long budgetBytes) {
            throw new IllegalStateException("broken");
          }
        });
    FakeTablet sound = tablet("sound").holding(70 * MB);
    assertThat(scheduler.runBest()).isTrue();
    assertThat(sound.done).containsExactly("flush");
  }

  @Test
  void stoppedTabletsAreIgnored() {
    tablet("stopped").holding(200 * MB).running = false;
    assertThat(scheduler.runBest()).isFalse();
  }

  @Test
  void countsByKind() {
    tablet("a").holding(70 * MB);
    scheduler.runBest();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    scheduler.meters().publish(registry);
    assertThat(registry.get("kudu.maintenance.time").tag("kind", "flush").functionTimer().count())
        .isEqualTo(1);
    assertThat(
            registry
                .get("kudu.maintenance.moved.bytes")
                .tag("kind", "flush")
                .functionCounter()
                .count())
        .isEqualTo(70.0 * MB);
  }

  @Test
  void thePageShowsRunningAndCandidateOps() {
    FakeTablet flushed = tablet("flushed").holding(70 * MB);
    scheduler.runBest();
    flushed.holding(5);
    FakeTablet other = tablet("other");
    other.tasks = List.of(FakeTask.compaction(other, "x"));
    assertThat(
            Rendered.html(
                MaintenancePage.view(scheduler.view(), Query.NONE, j2html.TagCreator::text)))
        .contains("Running", "Recent", "Candidates", "performance", "none", "done")
        .contains("table &lt;of&gt; flushed", "Compaction &amp; more")
        .doesNotContain("<of>");
  }

  @Test
  void onlyOneThreadWorksOnATabletAndCloseWaitsForRunningOps() throws InterruptedException {
    Set<String> inside = ConcurrentHashMap.newKeySet();
    List<String> met = new ArrayList<>();
    CountDownLatch enough = new CountDownLatch(60);
    for (int i = 0; i < 3; i++) {
      FakeTablet tablet = tablet("t" + i).holding(70 * MB);
      tablet.onFlush =
          () -> {
            if (!inside.add(tablet.tabletId())) {
              synchronized (met) {
                met.add(tablet.tabletId());
              }
            }
            Thread.onSpinWait();
            inside.remove(tablet.tabletId());
            enough.countDown();
          };
    }
    try (MaintenanceScheduler busy = scheduler(4)) {
      busy.start();
      while (!enough.await(1, TimeUnit.MILLISECONDS)) {
        tablets.forEach(tablet -> tablet.holding(70 * MB));
      }
    }
    assertThat(met).isEmpty();
    assertThat(inside).isEmpty();
  }

  @Test
  void aRequestedCompactionWaitsForTheTabletAndReportsItsResult() throws Exception {
    FakeTablet tablet = tablet("a").holding(70 * MB);
    CountDownLatch flushing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    tablet.onFlush =
        () -> {
          flushing.countDown();
          hold(goOn);
        };
    Thread flusher = new Thread(scheduler::runBest);
    flusher.start();
    flushing.await();
    try (RequestedCompactions requests = new RequestedCompactions(scheduler, nanos::get)) {
      assertThat(requests.find("a")).isEmpty();
      assertThat(requests.request(tablet).state()).isEqualTo(RequestedCompactions.State.WAITING);
      assertThat(requests.request(tablet).state()).isEqualTo(RequestedCompactions.State.WAITING);
      goOn.countDown();
      awaitEnd(requests);
      assertThat(requests.find("a").orElseThrow().state())
          .isEqualTo(RequestedCompactions.State.DONE);
      assertThat(tablet.done).containsExactly("flush", "full");
      tablet.onCompactFully =
          () -> {
            throw new IOException("broken");
          };
      requests.request(tablet);
      awaitEnd(requests);
      assertThat(requests.find("a").orElseThrow().failure()).hasMessage("broken");
    }
    flusher.join();
  }

  private static void awaitEnd(RequestedCompactions requests) {
    await()
        .until(
            () ->
                requests.find("a").orElseThrow().state().ordinal()
                    >= RequestedCompactions.State.DONE.ordinal());
  }

  private static void hold(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
