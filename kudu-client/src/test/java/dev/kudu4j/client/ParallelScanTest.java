package dev.kudu4j.client;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Parallel scans of tablets on scripted servers. */
@Timeout(120)
class ParallelScanTest {
  private static final int BATCHES = BucketedTable.ROWS / 10;

  private final BucketedTable numbers = new BucketedTable();
  private final ExecutorService threads = Executors.newFixedThreadPool(6);

  @AfterEach
  void close() throws Exception {
    numbers.close();
    threads.shutdown();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
  }

  private KuduScanToken.KuduScanTokenBuilder scan() {
    return numbers.client().newScanTokenBuilder(numbers.table());
  }

  private static List<Integer> rows(RowResultIterator batch) {
    List<Integer> rows = new ArrayList<>();
    batch.forEachRemaining(row -> rows.add(row.getInt(0)));
    return rows;
  }

  private static List<Integer> all() {
    return IntStream.range(0, BucketedTable.ROWS).boxed().toList();
  }

  private void awaitNoScanner() {
    await().until(() -> numbers.openScanners() == 0);
  }

  /** Requests as many batches as it is configured to. */
  private static class Reader implements Flow.Subscriber<RowResultIterator> {
    final CompletableFuture<Void> end = new CompletableFuture<>();
    final List<Integer> rows = new ArrayList<>();
    final AtomicInteger batches = new AtomicInteger();
    private final AtomicInteger inside = new AtomicInteger();
    private volatile Flow.Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
    }

    @Override
    public void onNext(RowResultIterator batch) {
      assertThat(inside.incrementAndGet()).isEqualTo(1);
      rows.addAll(ParallelScanTest.rows(batch));
      batches.incrementAndGet();
      inside.decrementAndGet();
    }

    @Override
    public void onError(Throwable failure) {
      assertThat(inside.get()).isZero();
      end.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      assertThat(inside.get()).isZero();
      end.complete(null);
    }
  }

  private static void assertAllOnce(List<Integer> rows) {
    assertThat(rows).hasSize(BucketedTable.ROWS);
    assertThat(new TreeSet<>(rows)).containsExactlyElementsOf(all());
  }

  @Test
  void everyRowIsDeliveredOnceInTheCallersThread() throws Exception {
    Thread here = Thread.currentThread();
    List<Integer> rows = new ArrayList<>();
    scan()
        .parallel()
        .forEachBatch(
            batch -> {
              assertThat(Thread.currentThread()).isSameAs(here);
              rows.addAll(rows(batch));
            });
    assertAllOnce(rows);
    assertThat(numbers.openScanners()).isZero();
  }

  @Test
  void partsOfTabletsAreReadOnce() throws Exception {
    List<Integer> rows = new ArrayList<>();
    scan()
        .setSplitSizeBytes(1)
        .parallel()
        .scanners(5)
        .forEachBatch(batch -> rows.addAll(rows(batch)));
    assertAllOnce(rows);
    assertThat(numbers.lowScans().openings()).hasSize(2 * BucketedTable.BUCKETS);
  }

  @Test
  void severalThreadsConsumeConcurrently() throws Exception {
    CyclicBarrier meeting = new CyclicBarrier(3);
    List<Integer> rows = new ArrayList<>();
    scan()
        .parallel()
        .scanners(3)
        .forEachBatch(
            batch -> {
              try {
                meeting.await(60, TimeUnit.SECONDS); // each thread waits for two others
              } catch (Exception e) {
                throw new AssertionError(e);
              }
              synchronized (rows) {
                rows.addAll(rows(batch));
              }
            },
            threads)
        .get(60, TimeUnit.SECONDS);
    assertAllOnce(rows);
  }

  @Test
  void theNumberOfFetchedBatchesIsLimited() throws Exception {
    int allowed = 5;
    Reader reader = new Reader();
    scan().parallel().scanners(3).batches(allowed).executor(threads).subscribe(reader);
    await().until(() -> numbers.batches() == allowed); // before the reader requests any
    for (int consumed = 1; consumed <= BATCHES; consumed++) {
      int wanted = consumed;
      reader.subscription.request(1);
      await().until(() -> reader.batches.get() == wanted);
      await().until(() -> numbers.batches() == Math.min(BATCHES, wanted + allowed));
    }
    reader.end.get(60, TimeUnit.SECONDS);
    assertAllOnce(reader.rows);
  }

  @Test
  void openScannersAreLimited() throws Exception {
    AtomicInteger max = new AtomicInteger();
    scan()
        .parallel()
        .scanners(2)
        .forEachBatch(batch -> max.accumulateAndGet(numbers.openScanners(), Math::max));
    assertThat(max.get()).isBetween(1, 2);
  }

  @Test
  void scannersAreSpreadOverTheServers() {
    Reader reader = new Reader();
    scan().parallel().scanners(4).batches(4).executor(threads).subscribe(reader);
    await().until(() -> numbers.batches() == 4);
    assertThat(numbers.lowScans().openings()).hasSize(2);
    assertThat(numbers.highScans().openings()).hasSize(2);
    reader.subscription.cancel();
  }

  @Test
  void cancellingClosesTheScannersWithoutFurtherSignals() throws Exception {
    Reader reader = new Reader();
    scan().parallel().executor(threads).subscribe(reader);
    reader.subscription.request(3);
    await().until(() -> reader.batches.get() == 3);
    reader.subscription.cancel();
    reader.subscription.request(100);
    awaitNoScanner();
    assertThat(reader.batches.get()).isEqualTo(3);
    assertThat(reader.end).isNotDone();
  }

  @Test
  void aCancelledFutureClosesTheScanners() {
    CompletableFuture<Void> all =
        scan().parallel().scanners(2).forEachBatch(batch -> {}, task -> {}); // a lazy executor
    await().until(() -> numbers.openScanners() > 0);
    all.cancel(true);
    awaitNoScanner();
  }

  @Test
  void aFailureEndsTheScan() throws Exception {
    Reader reader = new Reader();
    scan().parallel().executor(threads).subscribe(reader);
    reader.subscription.request(1);
    await().until(() -> reader.batches.get() == 1);
    numbers.lowScans().tear();
    numbers.highScans().tear();
    reader.subscription.request(Long.MAX_VALUE);
    assertThatThrownBy(() -> reader.end.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(KuduException.class)
        .hasMessageContaining("Scan response has");
    awaitNoScanner();
    assertThatThrownBy(() -> scan().parallel().forEachBatch(batch -> {}))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("Scan response has");
  }

  @Test
  void anExceptionOfAConsumerFailsTheScan() {
    IllegalStateException own = new IllegalStateException("enough");
    assertThatThrownBy(
            () ->
                scan()
                    .parallel()
                    .forEachBatch(
                        batch -> {
                          throw own;
                        }))
        .isSameAs(own);
    awaitNoScanner();
  }

  @Test
  void anExecutorThatRejectsTasksFailsTheScan() {
    CompletableFuture<Void> all =
        scan()
            .parallel()
            .forEachBatch(
                batch -> {},
                task -> {
                  throw new RejectedExecutionException("full");
                });
    assertThatThrownBy(() -> all.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("full");
    awaitNoScanner();
  }

  @Test
  void theLimitCountsOverAllPieces() throws Exception {
    List<Integer> rows = new ArrayList<>();
    scan().limit(47).parallel().forEachBatch(batch -> rows.addAll(rows(batch)));
    assertThat(new TreeSet<>(rows)).hasSize(47);
    assertThat(rows).hasSize(47);
    awaitNoScanner();
  }

  @Test
  void theFirstPieceDeterminesTheSnapshot() throws Exception {
    scan().readMode(ReadMode.READ_AT_SNAPSHOT).parallel().scanners(6).forEachBatch(batch -> {});
    List<NewScanRequestPB> openings = new ArrayList<>(numbers.lowScans().openings());
    openings.addAll(numbers.highScans().openings());
    assertThat(openings.stream().filter(opening -> !opening.hasSnapTimestamp())).hasSize(1);
    assertThat(
            openings.stream()
                .filter(NewScanRequestPB::hasSnapTimestamp)
                .map(NewScanRequestPB::getSnapTimestamp))
        .hasSize(openings.size() - 1)
        .containsOnly(100L);
  }

  @Test
  void aRequestForZeroBatchesIsAnError() {
    Reader reader =
        new Reader() {
          @Override
          public void onSubscribe(Flow.Subscription given) {
            given.request(0);
          }
        };
    scan().parallel().executor(threads).subscribe(reader);
    assertThatThrownBy(() -> reader.end.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void scannersThatWaitForTheConsumerAreKeptAlive() throws Exception {
    Reader reader = new Reader();
    scan().keepAlivePeriodMs(5).parallel().batches(3).executor(threads).subscribe(reader);
    await().until(() -> numbers.lowScans().keepAlives() >= 6);
    reader.subscription.request(Long.MAX_VALUE);
    reader.end.get(60, TimeUnit.SECONDS);
    assertAllOnce(reader.rows);
  }

  @Test
  void aScanEndsWhenItsClientIsClosed() {
    Reader reader = new Reader();
    scan().parallel().executor(threads).subscribe(reader);
    reader.subscription.request(1);
    await().until(() -> reader.batches.get() == 1);
    numbers.client().asyncClient().close();
    reader.subscription.request(Long.MAX_VALUE);
    assertThatThrownBy(() -> reader.end.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(KuduException.class);
  }

  @Test
  void anUnsatisfiablePredicateReadsNothing() throws Exception {
    scan()
        .addPredicate(
            KuduPredicate.newInListPredicate(numbers.table().getSchema().getColumn("k"), List.of()))
        .parallel()
        .forEachBatch(batch -> fail("a batch"));
    assertThat(numbers.batches()).isZero();
  }

  @Test
  void arrowBatchesContainEveryRowOnce() throws Exception {
    try (BufferAllocator allocator = new RootAllocator()) {
      List<Integer> rows = new ArrayList<>();
      scan()
          .parallelArrow(allocator)
          .forEachBatch(
              batch -> {
                try (batch) {
                  rows.addAll(rows(batch));
                }
              });
      assertAllOnce(rows);
    }
  }

  private Consumer<VectorSchemaRoot> counting(AtomicInteger rows) {
    return batch -> {
      try (batch) {
        rows.addAndGet(rows(batch).size());
      }
    };
  }

  @Test
  void theLimitTruncatesAnArrowBatch() throws Exception {
    try (BufferAllocator allocator = new RootAllocator()) {
      AtomicInteger rows = new AtomicInteger();
      scan().limit(15).parallelArrow(allocator).forEachBatch(counting(rows));
      assertThat(rows.get()).isEqualTo(15);
      awaitNoScanner();
    }
  }

  /** A batch that the limit made superfluous arrives after the consumer has received all rows. */
  @Test
  void theScanEndsAfterSuperfluousBatchesAreReleased() throws Exception {
    try (BufferAllocator allocator = new RootAllocator()) {
      AtomicInteger rows = new AtomicInteger();
      numbers.high().pause();
      CompletableFuture<Void> all =
          scan().limit(10).parallelArrow(allocator).forEachBatch(counting(rows), threads);
      // wait until the other server's pieces have begun: pieces that have not begun are not awaited
      await().until(() -> rows.get() == 10 && numbers.high().calls("Scan") > 0);
      await().until(() -> numbers.lowScans().openScanners() == 0);
      assertThat(all).isNotDone();
      numbers.high().resume();
      all.get(60, TimeUnit.SECONDS);
      assertThat(allocator.getAllocatedMemory()).isZero();
    }
    awaitNoScanner();
  }

  @Test
  void arrowBatchesAreReleasedWhenAConsumerFails() throws Exception {
    try (BufferAllocator allocator = new RootAllocator()) {
      assertThatThrownBy(
              () ->
                  scan()
                      .parallelArrow(allocator)
                      .forEachBatch(
                          batch -> {
                            try (batch) {
                              throw new IllegalStateException("enough");
                            }
                          }))
          .isInstanceOf(IllegalStateException.class);
      awaitNoScanner();
      await().until(() -> allocator.getAllocatedMemory() == 0);
    }
  }

  private static List<Integer> rows(VectorSchemaRoot batch) {
    IntVector numbers = (IntVector) batch.getVector(0);
    return IntStream.range(0, batch.getRowCount()).mapToObj(numbers::get).toList();
  }
}
