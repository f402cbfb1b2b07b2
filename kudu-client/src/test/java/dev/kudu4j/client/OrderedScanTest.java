package dev.kudu4j.client;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.common.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Scans for the first rows in an order, on servers that cannot select these rows: the end of such a
 * scan, repeated calls, close() and lost scanners.
 */
@Timeout(120)
class OrderedScanTest {
  private final ScriptedTable numbers = new ScriptedTable();

  @AfterEach
  void close() {
    numbers.close();
  }

  private AsyncKuduScanner.AsyncKuduScannerBuilder scan(int limit) {
    return numbers
        .asyncClient()
        .newScannerBuilder(numbers.table())
        .orderBy("k", false)
        .limit(limit);
  }

  private KuduScanner blockingScan(int limit) {
    return new KuduScanner(scan(limit).build(), numbers.asyncClient());
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(Patience.SECONDS, TimeUnit.SECONDS);
  }

  private static List<Integer> values(Iterable<RowResult> rows) {
    List<Integer> values = new ArrayList<>();
    rows.forEach(row -> values.add(row.getInt(0)));
    return values;
  }

  private static List<Integer> downFrom(int greatest, int count) {
    return IntStream.range(0, count).mapToObj(i -> greatest - i).toList();
  }

  private int requests() {
    return numbers.low().requests().size() + numbers.high().requests().size();
  }

  private int openScanners() {
    return numbers.low().openScanners() + numbers.high().openScanners();
  }

  // ---------------------------------------------------------------- the end

  @Test
  void oneBatchHoldsTheFirstRowsOfAllTablets() throws Exception {
    AsyncKuduScanner scanner = scan(30).build();
    List<Integer> expected = new ArrayList<>(downFrom(124, 25));
    expected.addAll(downFrom(24, 5));
    assertThat(values(get(scanner.nextRows()))).isEqualTo(expected);
    assertThat(scanner.hasMoreRows()).isFalse();
    assertThat(openScanners()).isZero();
  }

  @Test
  void callsAfterTheEndReadNothingAgain() throws Exception {
    KuduScanner scanner = blockingScan(3);
    assertThat(values(scanner)).isEqualTo(downFrom(124, 3));
    int requests = requests();
    assertThat(values(scanner)).as("a second iteration").isEmpty();
    assertThat((Object) scanner.nextRows()).isNull();
    assertThat(scanner.isClosed()).isTrue();
    assertThat((Object) scanner.close()).isNull();
    assertThat((Object) scanner.close()).isNull();
    assertThat(requests()).isEqualTo(requests);
  }

  @Test
  void anOffsetBeyondTheLastRowLeavesAnEmptyBatch() throws Exception {
    AsyncKuduScanner scanner = scan(5).offset(50).build();
    assertThat(scanner.getLimit()).isEqualTo(5);
    assertThat(get(scanner.nextRows()).getNumRows()).isZero();
    assertThat(scanner.hasMoreRows()).isFalse();
  }

  @Test
  void anotherScanOfTheSameBuilderReadsAgain() throws Exception {
    AsyncKuduScanner.AsyncKuduScannerBuilder builder = scan(2).offset(1);
    assertThat(values(get(builder.build().nextRows()))).isEqualTo(downFrom(123, 2));
    numbers.high().tablet("high", 100, 120);
    assertThat(values(get(builder.build().nextRows()))).isEqualTo(downFrom(118, 2));
  }

  // ---------------------------------------------------------------- repeated calls

  @Test
  void concurrentCallsForABatchShareOneScan() throws Exception {
    HeldScans held = new HeldScans(numbers.low(), 0);
    numbers.firstServer().scans(held);
    AsyncKuduScanner scanner = scan(30).build();
    CompletableFuture<RowResultIterator> first = scanner.nextRows();
    await().until(() -> held.held() == 1);
    CompletableFuture<RowResultIterator> second = scanner.nextRows();
    held.release();
    assertThat(get(first).getNumRows()).isEqualTo(30);
    assertThat((Object) get(second)).as("the same batch").isSameAs(get(first));
    assertThat(numbers.low().openings()).hasSize(1);
    assertThat(numbers.high().openings()).hasSize(1);
  }

  @Test
  void aFailedScanFailsAgainWithoutReading() throws Exception {
    numbers.low().tear();
    KuduScanner scanner = blockingScan(3);
    assertThatThrownBy(scanner::nextRows)
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("Scan response has");
    await().until(() -> openScanners() == 0);
    int requests = requests();
    assertThatThrownBy(scanner::nextRows)
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("Scan response has");
    assertThat(requests()).isEqualTo(requests);
    scanner.close();
    assertThat((Object) scanner.nextRows()).isNull();
  }

  // ---------------------------------------------------------------- closing

  @Test
  void closingBeforeTheFirstBatchReadsNothing() throws Exception {
    KuduScanner scanner = blockingScan(3);
    assertThat((Object) scanner.close()).isNull();
    assertThat(scanner.hasMoreRows()).isFalse();
    assertThat((Object) scanner.nextRows()).isNull();
    assertThat(values(scanner)).isEmpty();
    assertThat(requests()).isZero();
  }

  /** In mode READ_AT_SNAPSHOT, the second tablet waits for the snapshot of the first. */
  @ParameterizedTest
  @EnumSource(
      value = ReadMode.class,
      names = {"READ_LATEST", "READ_AT_SNAPSHOT"})
  void closingBeforeTheFirstResponseEndsThePendingBatch(ReadMode mode) throws Exception {
    PendingScan scan = scanHeldAfter(0, mode);
    assertThat(get(scan.scanner().close()).getNumRows()).isZero();
    assertEnds(scan);
  }

  @ParameterizedTest
  @EnumSource(
      value = ReadMode.class,
      names = {"READ_LATEST", "READ_AT_SNAPSHOT"})
  void closingInTheMiddleOfATabletClosesItsScanner(ReadMode mode) throws Exception {
    PendingScan scan = scanHeldAfter(1, mode);
    assertThat(numbers.low().openScanners()).isOne();
    get(scan.scanner().keepAlive());
    get(scan.scanner().close());
    assertEnds(scan);
    assertThat(numbers.low().requests().get(numbers.low().requests().size() - 1).getCloseScanner())
        .isTrue();
  }

  /** A scan whose first batch is pending, because the server of a tablet holds its response. */
  private record PendingScan(
      AsyncKuduScanner scanner, CompletableFuture<RowResultIterator> batch, HeldScans held) {}

  /**
   * @param responses number of the tablet's responses that are sent before one is held
   */
  private PendingScan scanHeldAfter(int responses, ReadMode mode) {
    HeldScans held = new HeldScans(numbers.low(), responses);
    numbers.firstServer().scans(held);
    AsyncKuduScanner scanner = scan(3).readMode(mode).build();
    CompletableFuture<RowResultIterator> batch = scanner.nextRows();
    await().until(() -> held.held() == 1);
    return new PendingScan(scanner, batch, held);
  }

  /** A closed scan returns no rows: it did not read all tablets. */
  private void assertEnds(PendingScan scan) throws Exception {
    AsyncKuduScanner scanner = scan.scanner();
    assertThat(scanner.hasMoreRows()).isFalse();
    assertThat((Object) get(scanner.nextRows())).isNull();
    scan.held().release();
    assertThat(get(scan.batch()).getNumRows()).isZero();
    await().until(() -> openScanners() == 0);
    assertThat(numbers.low().openings()).hasSize(1);
    assertThat((Object) get(scanner.nextRows())).isNull();
    assertThat((Object) get(scanner.close())).isNull();
    assertThatThrownBy(scanner::keepAlive).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closingWhileATabletIsLostEndsThePendingBatch() throws Exception {
    HeldScans held = new HeldScans(numbers.low(), 1);
    numbers.firstServer().scans(held);
    AsyncKuduScanner scanner = scan(3).build();
    CompletableFuture<RowResultIterator> pending = scanner.nextRows();
    await().until(() -> held.held() == 1);
    get(scanner.close());
    numbers.low().forgetScanners();
    held.release(); // responds that the scanner is not found; the tablet is not read again
    get(pending.handle((rows, failure) -> null));
    assertThat(numbers.low().openings()).hasSize(1);
    assertThat((Object) get(scanner.nextRows())).isNull();
  }

  // ---------------------------------------------------------------- lost scanners

  @Test
  void aTabletIsReadAgainAfterItsScannerIsLost() throws Exception {
    numbers.low().loseScanners(1);
    AsyncKuduScanner scanner = scan(50).build();
    List<Integer> expected = new ArrayList<>(downFrom(124, 25));
    expected.addAll(downFrom(24, 25));
    assertThat(values(get(scanner.nextRows()))).as("no row twice").isEqualTo(expected);
    assertThat(numbers.low().openings()).hasSize(2);
    assertThat(openScanners()).isZero();
  }
}
