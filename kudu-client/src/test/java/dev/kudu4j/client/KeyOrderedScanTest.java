package dev.kudu4j.client;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of several tablets of scripted servers, in the order of their key. */
@Timeout(120)
class KeyOrderedScanTest {
  private final BucketedTable numbers = new BucketedTable();

  @AfterEach
  void close() {
    numbers.close();
  }

  private KuduScanner.KuduScannerBuilder scan() {
    return numbers.client().newScannerBuilder(numbers.table()).inKeyOrder(true);
  }

  private static List<Integer> take(KuduScanner scanner) throws KuduException {
    List<Integer> rows = new ArrayList<>();
    for (RowResult row : scanner.nextRows()) {
      rows.add(row.getInt(0));
    }
    return rows;
  }

  private static List<Integer> takeAll(KuduScanner scanner) throws KuduException {
    List<Integer> rows = new ArrayList<>();
    while (scanner.hasMoreRows()) {
      rows.addAll(take(scanner));
    }
    return rows;
  }

  private static List<Integer> numbers(int to) {
    return IntStream.range(0, to).boxed().toList();
  }

  @ParameterizedTest
  @EnumSource(RowDataFormat.class)
  void rowsOfAllTabletsAreReturnedInKeyOrder(RowDataFormat format) throws Exception {
    KuduScanner scanner = scan().build();
    scanner.setRowDataFormat(format);
    assertThat(takeAll(scanner)).isEqualTo(numbers(BucketedTable.ROWS));
    assertThat(numbers.openScanners()).isZero();
  }

  @Test
  void rowsMayBeReused() throws Exception {
    KuduScanner scanner = scan().build();
    scanner.setReuseRowResult(true);
    List<Integer> rows = new ArrayList<>();
    for (RowResult row : scanner) {
      rows.add(row.getInt(0));
    }
    assertThat(rows).isEqualTo(numbers(BucketedTable.ROWS));
  }

  @Test
  void aRowIsNotChangedByTheNextOne() throws Exception {
    List<RowResult> rows = new ArrayList<>();
    scan().build().forEach(rows::add);
    assertThat(rows.stream().map(row -> row.getInt("k")).toList())
        .isEqualTo(numbers(BucketedTable.ROWS));
  }

  @Test
  void aRangeIsOpenedAfterThePreviousRangeIsRead() throws Exception {
    KuduScanner scanner = scan().build();
    List<Integer> rows = new ArrayList<>();
    while (rows.size() < BucketedTable.RANGE) {
      rows.addAll(take(scanner));
      assertThat(numbers.lowScans().openScanners()).isLessThanOrEqualTo(BucketedTable.BUCKETS);
      assertThat(numbers.highScans().requests()).isEmpty();
    }
    rows.addAll(takeAll(scanner));
    assertThat(rows).hasSize(BucketedTable.ROWS);
    assertThat(numbers.highScans().requests()).isNotEmpty();
  }

  @Test
  void theFirstTabletChoosesTheSnapshotOfAll() throws Exception {
    takeAll(scan().build());
    List<NewScanRequestPB> openings = new ArrayList<>(numbers.lowScans().openings());
    openings.addAll(numbers.highScans().openings());
    assertThat(openings).hasSize(2 * BucketedTable.BUCKETS);
    assertThat(openings.get(0).hasSnapTimestamp()).isFalse();
    assertThat(openings.stream().skip(1).map(NewScanRequestPB::getSnapTimestamp))
        .containsOnly(100L);
  }

  @Test
  void aGivenSnapshotIsUsedForAllTablets() throws Exception {
    scan().snapshotTimestampRaw(55).build().nextRows();
    assertThat(numbers.lowScans().openings())
        .hasSize(BucketedTable.BUCKETS)
        .allMatch(opening -> opening.getSnapTimestamp() == 55);
  }

  @Test
  void theLimitCountsOverAllTablets() throws Exception {
    assertThat(takeAll(scan().limit(13).build())).isEqualTo(numbers(13));
    assertThat(takeAll(scan().limit(310).build())).isEqualTo(numbers(310));
    await().until(() -> numbers.openScanners() == 0);
  }

  @Test
  void closingInTheMiddleLeavesNoScannerOpen() throws Exception {
    KuduScanner scanner = scan().prefetching(true).build();
    assertThat(take(scanner)).isNotEmpty();
    scanner.close();
    assertThat(numbers.openScanners()).isZero();
    assertThat(scanner.hasMoreRows()).isFalse();
    assertThat((Object) scanner.nextRows()).isNull();
  }

  @Test
  void theLossOfAServerIsInvisible() throws Exception {
    KuduScanner scanner = scan().build();
    List<Integer> rows = new ArrayList<>(take(scanner));
    numbers.low().stop();
    rows.addAll(takeAll(scanner));
    assertThat(rows).isEqualTo(numbers(BucketedTable.ROWS));
  }

  @Test
  void keyColumnsOutsideOfTheProjectionAreHidden() throws Exception {
    KuduScanner scanner = scan().setProjectedColumnNames(List.of()).build();
    assertThat(scanner.getProjectionSchema().getColumnCount()).isZero();
    int rows = 0;
    for (RowResult row : scanner) {
      assertThat(row.getSchema().getColumnCount()).isZero();
      assertThatThrownBy(() -> row.getInt(0)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(row.rowToString()).isEmpty();
      rows++;
    }
    assertThat(rows).isEqualTo(BucketedTable.ROWS);
  }

  @Test
  void theFailureOfOneTabletFailsTheScan() {
    numbers.lowScans().tear();
    assertThatThrownBy(() -> takeAll(scan().build()))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("Scan response has");
  }

  @Test
  void scannersThatWaitForOthersAreKeptAlive() throws Exception {
    KuduScanner scanner = scan().keepAlivePeriodMs(5).build();
    List<Integer> rows = new ArrayList<>(take(scanner));
    await().until(() -> numbers.lowScans().keepAlives() >= 2 * BucketedTable.BUCKETS);
    rows.addAll(takeAll(scanner));
    assertThat(rows).isEqualTo(numbers(BucketedTable.ROWS));
  }

  @Test
  void arrowBatchesAreNotMerged() {
    try (BufferAllocator allocator = new RootAllocator()) {
      assertThatThrownBy(() -> scan().arrow(allocator))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("KuduScanner");
    }
  }

  @Test
  void keyOrderRequiresOrderWithinTablets() {
    assertThatThrownBy(() -> scan().setFaultTolerant(false).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fault tolerant");
    assertThatThrownBy(() -> scan().readMode(AsyncKuduScanner.ReadMode.READ_LATEST).build())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
