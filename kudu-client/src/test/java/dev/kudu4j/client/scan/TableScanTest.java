package dev.kudu4j.client.scan;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.ConnectionOptions;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.FakeMaster;
import dev.kudu4j.client.cluster.FakeTabletServer;
import dev.kudu4j.client.cluster.ReplicaChoice;
import dev.kudu4j.client.cluster.TabletServerFailure;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.proto.common.OrderMode;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.index.IndexHintPB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TableScanTest {
  private static final byte[] UNBOUNDED = new byte[0];
  private static final Schema TABLE =
      new Schema(List.of(ColumnSchema.builder("k", DataType.INT32).id(0).key(true).build()));
  private static final PartitionSchema BY_RANGE =
      new PartitionSchema(List.of(), List.of(0), List.of());

  private final FakeMaster master = FakeMaster.open();
  private final FakeScans firstScans = new FakeScans(100);
  private final FakeScans secondScans = new FakeScans(200);
  private final FakeTabletServer first = FakeTabletServer.open("a").scans(firstScans);
  private final FakeTabletServer second = FakeTabletServer.open("b").scans(secondScans);
  private final Cluster cluster = Cluster.open(ConnectionOptions.of(List.of(master.address())));

  @AfterEach
  void close() {
    cluster.close();
    first.close();
    second.close();
    master.close();
  }

  /** A builder for scans; settings that a test does not specify have the defaults of users. */
  private final class Ask {
    boolean ordered;
    ReadMode readMode = ReadMode.READ_LATEST;
    long limit = Long.MAX_VALUE;
    List<ColumnPredicate> predicates = List.of();
    long timeoutMillis = 60_000;

    Ask ordered() {
      ordered = true;
      readMode = ReadMode.READ_AT_SNAPSHOT;
      return this;
    }

    Ask readMode(ReadMode mode) {
      readMode = mode;
      return this;
    }

    Ask limit(long rows) {
      limit = rows;
      return this;
    }

    Ask where(ColumnPredicate predicate) {
      predicates = List.of(predicate);
      return this;
    }

    Ask timeoutMillis(long millis) {
      timeoutMillis = millis;
      return this;
    }

    ScanQuery query() {
      return new ScanQuery(
          TABLE,
          BY_RANGE,
          new ProjectedColumns(TABLE),
          predicates,
          null,
          null,
          null,
          null,
          null,
          List.of(),
          KeyInterval.ALL,
          limit,
          readMode,
          ScanQuery.NO_TIMESTAMP,
          ScanQuery.NO_TIMESTAMP,
          ScanQuery.NO_TIMESTAMP,
          ordered,
          1 << 20,
          true,
          ReplicaChoice.LEADER,
          timeoutMillis,
          "",
          IndexHintPB.getDefaultInstance(),
          false);
    }

    TableScan<RowwiseRows> begin() {
      return new TableScan<>(
          cluster,
          cluster.tabletsOf("table-id"),
          query(),
          new RowwiseDecoder(new CellLayout(TABLE)),
          null);
    }
  }

  private Ask ask() {
    return new Ask();
  }

  /** One tablet with the rows 0 to 49; the first server leads it, the second follows. */
  private void oneTablet() {
    firstScans.tablet("t", 0, 50);
    secondScans.tablet("t", 0, 50);
    master.addTablet("t", UNBOUNDED, UNBOUNDED, first, second);
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  private static <T> T get(CompletableFuture<T> future) {
    try {
      return future.get(Patience.SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static KuduException failureOf(CompletableFuture<?> future) {
    Throwable failure = catchThrowable(() -> future.get(Patience.SECONDS, TimeUnit.SECONDS));
    assertThat(failure).isInstanceOf(ExecutionException.class);
    assertThat(failure.getCause()).isInstanceOf(KuduException.class);
    return (KuduException) failure.getCause();
  }

  private static List<Integer> take(TableScan<RowwiseRows> scan) {
    return rows(get(scan.next()));
  }

  private static List<Integer> rows(FetchedBatch<RowwiseRows> batch) {
    List<Integer> rows = new ArrayList<>();
    for (int i = 0; batch.rows() != null && i < batch.rowCount(); i++) {
      rows.add(LittleEndian.getInt(batch.rows().rows(), i * Integer.BYTES));
    }
    return rows;
  }

  private static List<Integer> takeAll(TableScan<RowwiseRows> scan) {
    List<Integer> rows = new ArrayList<>();
    boolean more = true;
    while (more) {
      FetchedBatch<RowwiseRows> batch = get(scan.next());
      rows.addAll(rows(batch));
      more = batch.hasMore();
    }
    return rows;
  }

  @Test
  void tabletsAreReadInOrderAndGapsAreSkipped() {
    firstScans.tablet("t0", 0, 25).tablet("t2", 60, 70);
    secondScans.tablet("t1", 40, 60);
    master.addTablet("t0", FakeScans.key(0).toByteArray(), FakeScans.key(25).toByteArray(), first);
    master.addTablet(
        "t1", FakeScans.key(40).toByteArray(), FakeScans.key(60).toByteArray(), second);
    master.addTablet("t2", FakeScans.key(60).toByteArray(), FakeScans.key(70).toByteArray(), first);
    List<Integer> expected = new ArrayList<>(numbers(0, 25));
    expected.addAll(numbers(40, 70));
    assertThat(takeAll(ask().begin())).isEqualTo(expected);
    assertThat(firstScans.openScanners() + secondScans.openScanners()).isZero();
  }

  @Test
  void theLimitCountsOverAllTablets() {
    firstScans.tablet("t0", 0, 25);
    secondScans.tablet("t1", 25, 50);
    byte[] border = FakeScans.key(25).toByteArray();
    master.addTablet("t0", UNBOUNDED, border, first);
    master.addTablet("t1", border, UNBOUNDED, second);
    assertThat(takeAll(ask().limit(30).begin())).isEqualTo(numbers(0, 30));
    assertThat(firstScans.openings().get(0).getLimit()).isEqualTo(30);
    assertThat(secondScans.openings().get(0).getLimit()).isEqualTo(5);
    assertThat(takeAll(ask().limit(25).begin())).isEqualTo(numbers(0, 25));
    assertThat(secondScans.openings()).hasSize(1);
  }

  @Test
  void onlyTabletsThatCanMatchAreRead() {
    firstScans.tablet("t0", 0, 25);
    secondScans.tablet("t1", 25, 50);
    byte[] border = FakeScans.key(25).toByteArray();
    master.addTablet("t0", UNBOUNDED, border, first);
    master.addTablet("t1", border, UNBOUNDED, second);
    byte[] thirty = new byte[4];
    LittleEndian.putInt(thirty, 0, 30);
    takeAll(ask().where(new ColumnPredicate.Range(TABLE.column(0), thirty, null)).begin());
    assertThat(firstScans.requests()).isEmpty();
    assertThat(secondScans.openings()).hasSize(1);
  }

  @Test
  void allTabletsAreReadAtTheSnapshotOfTheFirst() {
    firstScans.tablet("t0", 0, 5);
    secondScans.tablet("t1", 5, 10);
    byte[] border = FakeScans.key(5).toByteArray();
    master.addTablet("t0", UNBOUNDED, border, first);
    master.addTablet("t1", border, UNBOUNDED, second);
    TableScan<RowwiseRows> scan = ask().readMode(ReadMode.READ_AT_SNAPSHOT).begin();
    takeAll(scan);
    assertThat(firstScans.openings().get(0).hasSnapTimestamp()).isFalse();
    assertThat(secondScans.openings().get(0).getSnapTimestamp()).isEqualTo(100);
    assertThat(scan.snapshot()).isEqualTo(100);
  }

  @Test
  void readYourWritesSendsTheLatestSeenTimestamp() {
    oneTablet();
    cluster.observe(70);
    takeAll(ask().readMode(ReadMode.READ_YOUR_WRITES).begin());
    assertThat(firstScans.openings().get(0).getPropagatedTimestamp()).isEqualTo(70);
    assertThat(cluster.lastTimestamp()).isEqualTo(100);
  }

  @Test
  void anOrderedScanContinuesAfterTheLastKeyWhenItsScannerIsLost() {
    oneTablet();
    TableScan<RowwiseRows> scan = ask().ordered().limit(40).begin();
    List<Integer> rows = take(scan);
    firstScans.forgetScanners();
    rows.addAll(takeAll(scan));
    assertThat(rows).isEqualTo(numbers(0, 40));
    NewScanRequestPB again = firstScans.openings().get(1);
    assertThat(again.getOrderMode()).isEqualTo(OrderMode.ORDERED);
    assertThat(again.getLastPrimaryKey()).isEqualTo(FakeScans.key(9));
    assertThat(again.getSnapTimestamp()).isEqualTo(100);
    assertThat(again.getLimit()).isEqualTo(30);
  }

  @Test
  void anOrderedScanContinuesOnAnotherServer() {
    oneTablet();
    TableScan<RowwiseRows> scan = ask().ordered().begin();
    List<Integer> rows = take(scan);
    first.stop();
    master.addTablet("t", UNBOUNDED, UNBOUNDED, second);
    rows.addAll(takeAll(scan));
    assertThat(rows).isEqualTo(numbers(0, 50));
    assertThat(secondScans.openings().get(0).getSnapTimestamp()).isEqualTo(100);
  }

  @Test
  void anUnorderedScanFailsIfItsScannerIsLostAfterRows() {
    oneTablet();
    TableScan<RowwiseRows> scan = ask().begin();
    take(scan);
    firstScans.forgetScanners();
    KuduException failure = failureOf(scan.next());
    assertThat(failure.code()).isEqualTo(StatusCode.NOT_FOUND);
    assertThat(((TabletServerFailure) failure).error())
        .isEqualTo(TabletServerErrorPB.Code.SCANNER_EXPIRED);
  }

  @Test
  void anUnorderedScanRestartsATabletIfItHasNoRowOfIt() {
    oneTablet();
    firstScans.emptyAnswers(1);
    TableScan<RowwiseRows> scan = ask().begin();
    assertThat(take(scan)).isEmpty();
    firstScans.forgetScanners();
    assertThat(takeAll(scan)).isEqualTo(numbers(0, 50));
  }

  @Test
  void aScanContinuesAfterALostConnection() {
    oneTablet();
    TableScan<RowwiseRows> scan = ask().begin();
    List<Integer> rows = take(scan);
    first.stop();
    CompletableFuture<FetchedBatch<RowwiseRows>> next = scan.next();
    first.restart(); // it keeps its scanners
    rows.addAll(rows(get(next)));
    rows.addAll(takeAll(scan));
    assertThat(rows).isEqualTo(numbers(0, 50));
  }

  @Test
  void aRequestToABusyServerIsRetried() {
    oneTablet();
    TableScan<RowwiseRows> scan = ask().begin();
    List<Integer> rows = take(scan);
    first.refuseNext(2);
    rows.addAll(takeAll(scan));
    assertThat(rows).isEqualTo(numbers(0, 50));
    assertThat(firstScans.openings()).hasSize(1);
  }

  private TableScan<RowwiseRows> begunWithin(long millis) {
    TableScan<RowwiseRows> scan = ask().timeoutMillis(millis).begin();
    take(scan);
    return scan;
  }

  @Test
  void aRequestToAPausedServerTimesOut() {
    oneTablet();
    takeAll(ask().begin()); // opens the connections and loads the classes
    TableScan<RowwiseRows> scan =
        await("a scan whose first batch arrives within the timeout")
            .ignoreException(AssertionError.class)
            .until(() -> begunWithin(1_000), begun -> true);
    first.pause();
    KuduException failure = failureOf(scan.next());
    assertThat(failure.code()).isEqualTo(StatusCode.TIMED_OUT);
    assertThat(failure)
        .hasMessageContaining("on tablet t of table table-id")
        .hasMessageContaining("in 1 try")
        .hasMessageContaining("[a (" + first.address() + ")]");
  }

  @Test
  void theKeysOfADroppedTabletAreLookedUpAgain() {
    oneTablet();
    get(cluster.tabletsOf("table-id").at(UNBOUNDED, Deadline.after(60_000))); // now cached
    master.dropTablet("t");
    firstScans.tablet("u", 7, 12);
    master.addTablet("u", UNBOUNDED, UNBOUNDED, first);
    firstScans.forget("t");
    secondScans.forget("t");
    assertThat(takeAll(ask().begin())).isEqualTo(numbers(7, 12));
  }

  @Test
  void closingClosesTheScannerOnTheServer() {
    oneTablet();
    TableScan<RowwiseRows> scan = ask().begin();
    take(scan);
    CompletableFuture<FetchedBatch<RowwiseRows>> running = scan.next();
    get(scan.close());
    assertThat(running).isDone();
    assertThat(firstScans.openScanners()).isZero();
    ScanRequestPB last = firstScans.requests().get(firstScans.requests().size() - 1);
    assertThat(last.getCloseScanner()).isTrue();
    assertThat(last.getBatchSizeBytes()).isZero();
    assertThat(get(scan.next()).hasMore()).isFalse();
  }

  @Test
  void keepAliveFailsIfTheScannerIsLost() {
    oneTablet();
    TableScan<RowwiseRows> scan = ask().begin();
    get(scan.keepAlive());
    assertThat(first.calls("ScannerKeepAlive")).isZero();
    take(scan);
    get(scan.keepAlive());
    assertThat(first.calls("ScannerKeepAlive")).isEqualTo(1);
    firstScans.forgetScanners();
    assertThat(failureOf(scan.keepAlive()).code()).isEqualTo(StatusCode.NOT_FOUND);
  }

  @Test
  void aTruncatedResponseIsReportedAsCorruption() {
    oneTablet();
    firstScans.tear();
    assertThat(failureOf(ask().begin().next()).code()).isEqualTo(StatusCode.CORRUPTION);
    await().until(() -> firstScans.openScanners() == 0); // the client closes it
  }

  @Test
  void predicatesRequireTheFeatureOnTheServer() {
    oneTablet();
    byte[] five = new byte[4];
    LittleEndian.putInt(five, 0, 5);
    take(ask().where(new ColumnPredicate.Equality(TABLE.column(0), five)).begin());
    NewScanRequestPB opening = firstScans.openings().get(0);
    assertThat(opening.getColumnPredicatesCount()).isEqualTo(1);
    assertThat(opening.getProjectedColumns(0).hasId()).isFalse();
  }

  @Test
  void tabletsAreSplitIntoKeyRanges() {
    firstScans.tablet("t0", 0, 20);
    secondScans.tablet("t1", 20, 60);
    byte[] border = FakeScans.key(20).toByteArray();
    master.addTablet("t0", UNBOUNDED, border, first);
    master.addTablet("t1", border, UNBOUNDED, second);
    ScanSplitter splitter =
        new ScanSplitter(
            cluster, cluster.tabletsOf("table-id"), ask().query(), Deadline.after(60_000));
    assertThat(get(splitter.pieces(0)))
        .extracting(piece -> piece.keys())
        .containsOnly(KeyInterval.ALL);
    List<ScanSplitter.Piece> pieces = get(splitter.pieces(1));
    byte[] ten = FakeScans.key(10).toByteArray();
    byte[] forty = FakeScans.key(40).toByteArray();
    assertThat(pieces)
        .extracting(piece -> piece.keys())
        .containsExactly(
            new KeyInterval(UNBOUNDED, ten),
            new KeyInterval(ten, UNBOUNDED),
            new KeyInterval(UNBOUNDED, forty),
            new KeyInterval(forty, UNBOUNDED));
  }
}
