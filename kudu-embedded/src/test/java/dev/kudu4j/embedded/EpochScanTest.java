package dev.kudu4j.embedded;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.ScanCounter;
import dev.kudu4j.util.HybridTimeUtil;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stale scans of tables with epochs, on a server that flushes on request only. */
@Timeout(120)
class EpochScanTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long SECOND_MICROS = 1_000_000;

  private static EmbeddedCluster cluster;
  private static KuduClient client;

  @BeforeAll
  static void start() {
    cluster =
        EmbeddedCluster.builder().tabletServerFlag("--enable_maintenance_manager=false").start();
    client = cluster.client();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Creates a table with one tablet for keys below 100 and one for the others. */
  private static KuduTable create(String name) throws KuduException {
    Schema schema =
        new Schema(List.of(new ColumnSchemaBuilder("id", Type.INT32).key(true).build()));
    PartialRow lowest = schema.newPartialRow();
    lowest.addInt(0, 0);
    PartialRow middle = schema.newPartialRow();
    middle.addInt(0, 100);
    PartialRow highest = schema.newPartialRow();
    highest.addInt(0, 1000);
    return client.createTable(
        name,
        schema,
        new CreateTableOptions()
            .setNumReplicas(1)
            .setRangePartitionColumns(List.of("id"))
            .addRangePartition(lowest, middle)
            .addRangePartition(middle, highest)
            .setExtraConfigs(Map.of("kudu4j.epoch_sec", "1")));
  }

  private static void insert(KuduTable table, int id) throws KuduException {
    KuduSession session = client.newSession();
    Operation insert = table.newInsert();
    insert.getRow().addInt("id", id);
    assertThat(session.apply(insert).hasRowError()).isFalse();
    session.close();
  }

  private static KuduScanner staleScan(KuduTable table) {
    return client.newScannerBuilder(table).freshness(HOUR).report(true).build();
  }

  private static int count(KuduScanner scanner) throws KuduException {
    int rows = 0;
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    return rows;
  }

  private static long seconds(long snapshot) {
    return HybridTimeUtil.HTTimestampToPhysicalAndLogical(snapshot)[0] / SECOND_MICROS;
  }

  private static long snapshotOf(KuduTable table) throws KuduException {
    KuduScanner scanner = staleScan(table);
    count(scanner);
    return scanner.getSnapshotTimestamp();
  }

  @Test
  void aScanTakesTheLastBoundaryThatAllTabletsOfItsServerHaveFlushed() throws KuduException {
    KuduTable idle = create("idle");
    KuduTable table = create("written");
    insert(table, 500); // in the second tablet; the scan asks the first one, which is empty
    long written = seconds(client.getLastPropagatedTimestamp());
    await("a later boundary, which an idle table is read at")
        .until(() -> seconds(snapshotOf(idle)) > written);
    KuduScanner stale = staleScan(table);
    assertThat(count(stale)).isZero();
    assertThat(seconds(stale.getSnapshotTimestamp())).isLessThanOrEqualTo(written);
    assertThat(stale.getScanReport().getTotal().get(ScanCounter.MEMROWSETS)).isZero();
  }

  @Test
  void everySnapshotIsABoundary() throws KuduException {
    KuduTable table = create("boundaries");
    for (int id = 0; id < 5; id++) {
      insert(table, 100 * id);
      long micros = HybridTimeUtil.HTTimestampToPhysicalAndLogical(snapshotOf(table))[0];
      assertThat(micros % SECOND_MICROS).isZero();
    }
  }
}
