package dev.kudu4j.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.SessionConfiguration;
import dev.kudu4j.client.Upsert;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.spark.KuduCatalog;
import dev.kudu4j.spark.Leaders;
import dev.kudu4j.spark.SparkOnKudu;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks whose servers lose scanners, pause or stop. */
class ServersTroubleTest {
  @RegisterExtension static final SparkOnKudu SPARK = new SparkOnKudu(); // plans need a session

  private static final int ROWS = 60_000;
  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start() throws KuduException {
    cluster =
        EmbeddedCluster.builder()
            .tabletServers(3)
            .replicationFactor(3)
            .tabletServerFlag("--scanner_ttl_ms=4000")
            .tabletServerFlag("--unlock_unsafe_flags")
            .tabletServerFlag("--scanner_inject_latency_on_each_batch_ms=1")
            .tabletServerFlag("--scanner_gc_check_interval_us=100000")
            .start();
    KuduClient client = cluster.client();
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchema.ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
                new ColumnSchema.ColumnSchemaBuilder("text", Type.STRING).build()));
    KuduTable table =
        client.createTable(
            "db.t", schema, new CreateTableOptions().setRangePartitionColumns(List.of("id")));
    KuduSession session = client.newSession();
    session.setFlushMode(SessionConfiguration.FlushMode.AUTO_FLUSH_BACKGROUND);
    for (int i = 0; i < ROWS; i++) {
      Upsert row = table.newUpsert();
      row.getRow().addInt("id", i);
      row.getRow().addString("text", "row number " + i);
      session.apply(row);
    }
    session.close();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Batch scan(Map<String, String> options) throws Exception {
    return builder(options).build().toBatch();
  }

  private static ScanBuilder builder(Map<String, String> options) throws Exception {
    KuduCatalog catalog = new KuduCatalog();
    catalog.initialize(
        "trouble", new CaseInsensitiveStringMap(Map.of("kudu.master", cluster.masterAddresses())));
    SupportsRead table = (SupportsRead) catalog.loadTable(Identifier.of(new String[] {"db"}, "t"));
    return table.newScanBuilder(new CaseInsensitiveStringMap(options));
  }

  private static PartitionReader<ColumnarBatch> open(Batch scan) {
    InputPartition[] splits = scan.planInputPartitions();
    assertThat(splits).hasSize(1);
    return scan.createReaderFactory().createColumnarReader(splits[0]);
  }

  private static int rest(PartitionReader<ColumnarBatch> reader) throws Exception {
    int rows = 0;
    while (reader.next()) {
      rows += reader.get().numRows();
    }
    return rows;
  }

  @Test
  void splitsHaveTheLocationsOfTheirRows() throws Exception {
    for (InputPartition split : scan(Map.of()).planInputPartitions()) {
      assertThat(split.preferredLocations()).containsExactly(EmbeddedCluster.HOST);
    }
  }

  @Test
  void metricsAreReportedWithTheRows() throws Exception {
    try (PartitionReader<ColumnarBatch> reader = open(scan(Map.of("kudu.batchSize", "10000")))) {
      assertThat(rest(reader)).isEqualTo(ROWS);
      Map<String, Long> values = new HashMap<>();
      for (CustomTaskMetric metric : reader.currentMetricsValues()) {
        values.put(metric.name(), metric.value());
      }
      assertThat(values).containsEntry("kuduRowsReturned", (long) ROWS);
      assertThat(values.get("kuduBatches")).isGreaterThan(1);
      assertThat(values.get("kuduBytesRead")).isNotNegative();
    }
  }

  /**
   * Spark processes a batch for longer than the time after which a server closes an idle scanner.
   */
  @Test
  void longPausesLoseNoScanner() throws Exception {
    Deque<KuduScanner> neglected = new ArrayDeque<>();
    for (int i = 0; i < 100; i++) {
      KuduScanner scanner =
          cluster
              .client()
              .newScannerBuilder(cluster.client().openTable("db.t"))
              .batchSizeBytes(1000)
              .build();
      scanner.nextRows();
      neglected.add(scanner);
    }
    try (PartitionReader<ColumnarBatch> reader =
        open(scan(Map.of("kudu.batchSize", "1000", "kudu.keepAlivePeriodMs", "100")))) {
      assertThat(reader.next()).isTrue();
      int first = reader.get().numRows();
      await("an idle scanner is closed")
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofMillis(100))
          .until(() -> isForgotten(neglected.remove())); // ask each once: a request keeps it alive
      assertThat(first + rest(reader)).isEqualTo(ROWS);
    } finally {
      for (KuduScanner scanner : neglected) {
        scanner.close();
      }
    }
  }

  private static boolean isForgotten(KuduScanner scanner) throws KuduException {
    try {
      scanner.nextRows();
      scanner.close();
      return false;
    } catch (KuduException e) {
      assertThat(e).hasMessageContaining("canner");
      return true;
    }
  }

  @Test
  void aLostServerIsReplacedByAnother() throws Exception {
    try (PartitionReader<ColumnarBatch> reader =
        open(
            scan(
                Map.of(
                    "kudu.batchSize", "1000",
                    "kudu.faultTolerantScan", "true",
                    "kudu.scanLocality", "leader_only")))) {
      assertThat(reader.next()).isTrue();
      int first = reader.get().numRows();
      int leader = Leaders.ofFirstTablet(cluster, "db.t");
      cluster.stopTabletServer(leader);
      try {
        assertThat(first + rest(reader)).isEqualTo(ROWS);
      } finally {
        cluster.startTabletServer(leader);
      }
    }
  }

  /**
   * @param merges whether the reader returns each group once; with one tablet Spark does not merge
   *     groups
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void groupsOfALostServerAreReadFromAnother(boolean merges) throws Exception {
    SupportsPushDownAggregates groups =
        (SupportsPushDownAggregates)
            builder(Map.of("kudu.batchSize", "1000", "kudu.scanLocality", "leader_only"));
    assertThat(
            groups.pushAggregation(
                new Aggregation(
                    new AggregateFunc[] {new CountStar(), new Max(Expressions.column("id"))},
                    new Expression[] {Expressions.column("text")})))
        .isTrue();
    int leader = Leaders.ofFirstTablet(cluster, "db.t");
    Batch scan = groups.build().toBatch();
    var planned = (KuduAggregateReader.Factory) scan.createReaderFactory();
    var factory =
        new KuduAggregateReader.Factory(
            planned.table(),
            planned.connection(),
            planned.columns(),
            planned.groupColumns(),
            merges);
    try (PartitionReader<ColumnarBatch> reader =
        factory.createColumnarReader(scan.planInputPartitions()[0])) {
      CompletableFuture<Integer> sum = CompletableFuture.supplyAsync(() -> checked(reader));
      await("the server has returned some groups")
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> sum.isDone() || serverMillis(reader) > 300);
      cluster.stopTabletServer(leader);
      try {
        assertThat(sum.get(2, TimeUnit.MINUTES)).isEqualTo(ROWS);
      } finally {
        cluster.startTabletServer(leader);
      }
    }
  }

  private static long serverMillis(PartitionReader<ColumnarBatch> reader) {
    return Arrays.stream(reader.currentMetricsValues())
        .filter(metric -> metric.name().equals("kuduServerMillis"))
        .mapToLong(CustomTaskMetric::value)
        .sum();
  }

  /**
   * Checks that each group consists of the one row that its text names; returns the number of
   * groups.
   */
  private static int checked(PartitionReader<ColumnarBatch> reader) {
    BitSet seen = new BitSet();
    try {
      while (reader.next()) {
        for (int i = 0; i < reader.get().numRows(); i++) {
          InternalRow group = reader.get().getRow(i);
          assertThat(group.getUTF8String(0)).hasToString("row number " + group.getInt(2));
          assertThat(group.getLong(1)).isEqualTo(1);
          assertThat(seen.get(group.getInt(2))).as("%s is returned twice", group).isFalse();
          seen.set(group.getInt(2));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return seen.cardinality();
  }
}
