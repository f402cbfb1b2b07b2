package dev.kudu4j.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.ArrowScanner;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.ScanCounter;
import dev.kudu4j.client.ScanReport;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each kind of scan has a report, by tablet and in total, if it is requested. */
class ScanReportTest {
  private static final int ROWS = 5000;
  private static final int TABLETS = 4;

  private static EmbeddedCluster cluster;
  private static KuduClient client;
  private static KuduTable table;

  @BeforeAll
  static void load() throws KuduException {
    cluster = EmbeddedCluster.builder().tabletServers(1).start();
    client = cluster.client();
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("value", Type.INT32).build()));
    table =
        client.createTable(
            "numbers",
            schema,
            new CreateTableOptions().addHashPartitions(List.of("id"), TABLETS).setNumReplicas(1));
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    for (long id = 0; id < ROWS; id++) {
      Operation insert = table.newInsert();
      insert.getRow().addLong("id", id);
      insert.getRow().addInt("value", (int) (id % 10));
      session.apply(insert);
    }
    session.close();
    assertThat(session.getPendingErrors().getRowErrors()).isEmpty();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static KuduScanner.KuduScannerBuilder threes() {
    return client
        .newScannerBuilder(table)
        .addPredicate(
            KuduPredicate.newComparisonPredicate(
                table.getSchema().getColumn("value"), ComparisonOp.EQUAL, 3))
        .report(true);
  }

  private static ScanReport read(KuduScanner scanner) throws KuduException {
    while (scanner.hasMoreRows()) {
      scanner.nextRows();
    }
    return scanner.getScanReport();
  }

  private static void verify(ScanReport report, long returned) {
    assertThat(report.getTablets()).hasSize(TABLETS);
    assertThat(report.getTotal().getRows()).isEqualTo(returned);
    assertThat(report.getTotal().get(ScanCounter.ROWS_VISITED)).isEqualTo(ROWS);
    assertThat(report.getTotal().get(ScanCounter.ROWS_RETURNED)).isEqualTo(returned);
    assertThat(report.getTotal().get(ScanCounter.MEMROWSETS)).isEqualTo(TABLETS);
    assertThat(report.getTotal().get(ScanCounter.SERVER_NANOS)).isPositive();
    long visited = 0;
    for (ScanReport.Tablet tablet : report.getTablets()) {
      assertThat(tablet.hasCounters()).isTrue();
      assertThat(tablet.getTabletId()).hasSize(32);
      assertThat(tablet.getServer()).contains(":");
      assertThat(tablet.getResourceMetrics().getMetric("total_duration_nanos")).isPositive();
      visited += tablet.get(ScanCounter.ROWS_VISITED);
    }
    assertThat(visited).isEqualTo(ROWS);
  }

  @Test
  void rowsOfAScannerAreReported() throws Exception {
    ScanReport report = read(threes().build());
    verify(report, ROWS / 10);
    assertThat(report.getTotal().get(ScanCounter.ROWS_MATCHED)).isEqualTo(ROWS / 10);
    verify(read(threes().batchSizeBytes(128).build()), ROWS / 10);
    verify(read(threes().inKeyOrder(true).build()), ROWS / 10);
    verify(read(threes().orderBy("id", false).limit(3).build()), 3 * TABLETS);
  }

  @Test
  void tokensArrowAndAggregatesAreReported() throws Exception {
    ScanReport first = null;
    long rows = 0;
    for (KuduScanToken token : client.newScanTokenBuilder(table).build()) {
      first =
          read(
              KuduScanToken.deserializeIntoScannerBuilder(token.serialize(), client)
                  .report(true)
                  .build());
      assertThat(first.getTablets()).hasSize(1);
      rows += first.getTotal().get(ScanCounter.ROWS_RETURNED);
    }
    assertThat(rows).isEqualTo(ROWS);
    try (BufferAllocator allocator = new RootAllocator();
        ArrowScanner scanner = ArrowScanner.open(threes(), allocator)) {
      while (scanner.hasMoreBatches()) {
        scanner.nextBatch().close();
      }
      verify(scanner.scanReport(), ROWS / 10);
    }
    KuduAggregate groups = table.aggregate().groupBy("value").sum("sum", "id").report(true).build();
    groups.execute();
    verify(groups.getScanReport(), 10 * TABLETS);
    assertThat(groups.getScanReport().getTotal().get(ScanCounter.ROWS_MATCHED)).isEqualTo(ROWS);
  }

  @Test
  void aReportHasToBeRequested() throws Exception {
    KuduScanner plain = client.newScannerBuilder(table).build();
    assertThatThrownBy(plain::getScanReport)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("report(true)");
    KuduScanner half = threes().batchSizeBytes(128).build();
    half.nextRows();
    ScanReport soFar = half.getScanReport();
    assertThat(soFar.getTablets()).hasSize(1);
    assertThat(soFar.getTotal().hasCounters()).as("the tablet has more rows").isFalse();
    assertThatThrownBy(() -> soFar.getTotal().get(ScanCounter.PAGES))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("hasCounters()");
    half.close();
  }
}
