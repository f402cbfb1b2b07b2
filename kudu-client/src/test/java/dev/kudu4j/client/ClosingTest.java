package dev.kudu4j.client;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.KuduScanner.KuduScannerBuilder;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers and clients are closed in the middle of their work, while servers do not respond. */
@Timeout(120)
class ClosingTest {
  private static final int SHORT_MILLIS = 2_000;

  private final BucketedTable numbers = new BucketedTable();

  @AfterEach
  void close() {
    numbers.close();
  }

  private AsyncKuduScanner scan(boolean inKeyOrder) {
    return numbers
        .client()
        .asyncClient()
        .newScannerBuilder(numbers.table())
        .inKeyOrder(inKeyOrder)
        .build();
  }

  private static void assertFails(CompletableFuture<?> pending) {
    assertThatThrownBy(() -> pending.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(KuduException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPendingBatchFailsWhenTheClientIsClosed(boolean inKeyOrder) throws Exception {
    numbers.low().hold("Scan");
    AsyncKuduScanner scanner = scan(inKeyOrder);
    CompletableFuture<RowResultIterator> pending = scanner.nextRows();
    await().until(() -> numbers.low().calls("Scan") > 0);
    numbers.client().close();
    assertFails(pending);
    scanner.close().get(60, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aScannerMayBeClosedAfterItsClient(boolean inKeyOrder) throws Exception {
    AsyncKuduScanner scanner = scan(inKeyOrder);
    scanner.nextRows().get(60, TimeUnit.SECONDS);
    numbers.client().close();
    scanner.close().get(60, TimeUnit.SECONDS);
    assertThat(scanner.hasMoreRows()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aScanOfAClosedClientFails(boolean inKeyOrder) throws Exception {
    numbers.client().close();
    assertFails(scan(inKeyOrder).nextRows());
  }

  @Test
  void closingAClientWithPendingWritesAndScansEndsWithinTheWriteTimeout() throws Exception {
    KuduSession session = numbers.client().newSession();
    session.setFlushMode(SessionConfiguration.FlushMode.MANUAL_FLUSH);
    session.setTimeoutMillis(SHORT_MILLIS);
    for (int k = 0; k < 100; k++) {
      Insert insert = numbers.table().newInsert();
      insert.getRow().addInt(0, k);
      session.apply(insert);
    }
    numbers.low().hold("Write");
    numbers.low().hold("Scan");
    CompletableFuture<RowResultIterator> pending = scan(true).nextRows();
    await().until(() -> numbers.low().calls("Scan") > 0);
    numbers.client().close();
    assertThat(numbers.low().calls("Write")).isPositive();
    assertFails(pending);
  }

  /** Closing cancels a write without a timeout after the timeout of the client's other requests. */
  @Test
  void closingAClientFailsWritesWithoutATimeout() throws Exception {
    AsyncKuduSession session = numbers.client().asyncClient().newSession();
    session.setTimeoutMillis(0);
    numbers.low().hold("Write");
    Insert insert = numbers.table().newInsert();
    insert.getRow().addInt(0, 0);
    CompletableFuture<OperationResponse> pending = session.apply(insert);
    await().until(() -> numbers.low().calls("Write") > 0);
    numbers.client().close();
    assertThat(pending.get(60, TimeUnit.SECONDS).hasRowError()).isTrue();
  }

  @Test
  void aLookupOfManyRowsFailsWhenTheClientIsClosed() throws Exception {
    numbers.low().hold("Scan");
    PartialRow key = numbers.table().getSchema().newPartialRow();
    key.addInt(0, 3);
    CompletableFuture<?> pending = numbers.table().asyncGetAll(Collections.nCopies(1_000, key));
    await().until(() -> numbers.low().calls("Scan") + numbers.high().calls("Scan") > 0);
    numbers.client().close();
    assertFails(pending);
  }

  @Test
  void aParallelScanFailsWhenTheClientIsClosed() throws Exception {
    numbers.low().hold("Scan");
    CompletableFuture<Void> pending =
        numbers
            .client()
            .newScanTokenBuilder(numbers.table())
            .parallel()
            .forEachBatch(rows -> {}, ForkJoinPool.commonPool());
    await().until(() -> numbers.low().calls("Scan") > 0);
    numbers.client().close();
    assertFails(pending);
  }

  /** Opens the connections and loads the classes, so that later requests are fast. */
  private void warmUp() {
    numbers.client().newScannerBuilder(numbers.table()).build().forEach(row -> {});
  }

  /** Repeats an operation until it succeeds within its short timeout, and returns the result. */
  private static <T> T inTime(Callable<T> beginning) {
    return await("an operation that succeeds within its timeout")
        .ignoreException(KuduException.class)
        .until(beginning, begun -> true);
  }

  private KuduScannerBuilder impatient() {
    return numbers.client().newScannerBuilder(numbers.table()).scanRequestTimeout(SHORT_MILLIS);
  }

  private KuduScanner begin(boolean inKeyOrder) throws KuduException {
    KuduScanner scanner = impatient().inKeyOrder(inKeyOrder).build();
    scanner.nextRows();
    return scanner;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closingAScannerOfASilentServerEndsAfterTheScanRequestTimeout(boolean inKeyOrder)
      throws Exception {
    warmUp();
    KuduScanner scanner = inTime(() -> begin(inKeyOrder));
    numbers.low().hold("Scan");
    scanner.close();
    assertThat(scanner.isClosed()).isTrue();
    scanner.close(); // a second call does nothing
  }

  private ArrowScanner beginArrow(BufferAllocator allocator) throws KuduException {
    ArrowScanner scanner = impatient().prefetching(true).arrow(allocator);
    scanner.nextBatch().close();
    return scanner;
  }

  @Test
  void closingAnArrowScannerReleasesPrefetchedBatches() throws Exception {
    warmUp();
    try (BufferAllocator allocator = new RootAllocator()) {
      ArrowScanner scanner = inTime(() -> beginArrow(allocator));
      numbers.low().hold("Scan");
      scanner.close();
      scanner.close();
      assertThat(allocator.getAllocatedMemory()).isZero();
    }
  }
}
