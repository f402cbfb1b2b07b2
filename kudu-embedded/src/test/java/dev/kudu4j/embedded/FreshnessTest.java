package dev.kudu4j.embedded;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduCompaction;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.client.ScanCounter;
import dev.kudu4j.client.ScanReport;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.util.HybridTimeUtil;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scans that may be a little old, on three replicas. */
@Timeout(240)
class FreshnessTest {
  private static final int SERVERS = 3;
  private static final Duration HOUR = Duration.ofHours(1);

  private static EmbeddedCluster cluster;
  private static KuduClient client;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.builder().tabletServers(SERVERS).start();
    client = cluster.client();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static KuduTable create(String name, int tablets) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
                new ColumnSchemaBuilder("value", Type.INT32).build()));
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(SERVERS);
    if (tablets > 1) {
      options.addHashPartitions(List.of("id"), tablets);
    } else {
      options.setRangePartitionColumns(List.of());
    }
    return client.createTable(name, schema, options);
  }

  private static void insert(KuduTable table, int from, int to) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    for (int id = from; id < to; id++) {
      Operation insert = table.newInsert();
      insert.getRow().addInt("id", id);
      insert.getRow().addInt("value", id);
      session.apply(insert);
    }
    session.flush().forEach(answer -> assertThat(answer.hasRowError()).isFalse());
    session.close();
  }

  private static void flush(KuduTable table) throws KuduException {
    KuduCompaction compaction = table.compact();
    await("all replicas are flushed").until(compaction::poll);
  }

  /** Reads at leaders, because replicas know at different times that no earlier row will come. */
  private static KuduScanner scanner(KuduTable table, Duration freshness) {
    return client
        .newScannerBuilder(table)
        .freshness(freshness)
        .replicaSelection(ReplicaSelection.LEADER_ONLY)
        .report(true)
        .build();
  }

  /** Waits until a stale scan sees the last rows: its snapshot has to be above their timestamps. */
  private static void awaitCount(KuduTable table, int rows) {
    await("a stale scan sees " + rows + " rows").until(() -> count(scanner(table, HOUR)) == rows);
  }

  private static int count(KuduScanner scanner) throws KuduException {
    int rows = 0;
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    return rows;
  }

  @Test
  void aStaleScanReadsFilesOnlyAndSaysHowOldTheyAre() throws KuduException {
    KuduTable table = create("files", 1);
    insert(table, 0, 1000);
    flush(table);
    awaitCount(table, 1000);
    insert(table, 1000, 1100);
    KuduScanner stale = scanner(table, HOUR);
    assertThat(count(stale)).isEqualTo(1000);
    assertThat(stale.getScanReport().getTotal().get(ScanCounter.MEMROWSETS)).isZero();
    assertThat(stale.getStaleness()).hasValueSatisfying(age -> assertThat(age).isLessThan(HOUR));
    assertThat(countAt(table, stale.getSnapshotTimestamp()))
        .as("the same snapshot")
        .isEqualTo(1000);
    assertThat(count(scanner(table, Duration.ZERO))).isEqualTo(1100);
    flush(table);
    awaitCount(table, 1100);
  }

  @Test
  void aPropertyOfTheTableMakesScansOfTheLatestRowsStale() throws KuduException {
    KuduTable table = create("property", 1);
    insert(table, 0, 100);
    flush(table);
    awaitCount(table, 100);
    insert(table, 100, 110);
    assertThat(count(latest(table, ReadMode.READ_LATEST))).isEqualTo(110);
    client.alterTable("property", property("3600"));
    assertThat(count(latest(table, ReadMode.READ_LATEST))).isEqualTo(100);
    assertThat(count(latest(table, ReadMode.READ_YOUR_WRITES))).isEqualTo(110);
    client.alterTable("property", property(""));
    assertThat(count(latest(table, ReadMode.READ_LATEST))).isEqualTo(110);
    assertThatThrownBy(() -> client.alterTable("property", property("-1")))
        .hasMessageContaining("kudu4j.read_freshness_sec must be 0 seconds or more");
  }

  private static AlterTableOptions property(String seconds) {
    return new AlterTableOptions().alterExtraConfigs(Map.of("kudu4j.read_freshness_sec", seconds));
  }

  private static KuduScanner latest(KuduTable table, ReadMode mode) {
    return client
        .newScannerBuilder(table)
        .readMode(mode)
        .replicaSelection(ReplicaSelection.LEADER_ONLY)
        .build();
  }

  @Test
  void severalTablesAreReadAtOneSnapshot() throws KuduException {
    KuduTable one = create("one", 2);
    KuduTable other = create("other", 3);
    insert(one, 0, 100);
    insert(other, 0, 200);
    flush(one);
    flush(other);
    insert(one, 100, 150);
    await("both tables are seen, without rows in memory")
        .until(
            () -> {
              long snapshot = client.chooseSnapshot(HOUR, one, other);
              return countAt(one, snapshot) == 100 && countAt(other, snapshot) == 200;
            });
  }

  @Test
  void withEpochsAScanOfSeveralTabletsAndTablesReadsBaseDataOnly() throws Exception {
    KuduTable one = createWithEpochs("epochs one", 3);
    KuduTable other = createWithEpochs("epochs other", 2);
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<?> writer = threads.submit(() -> insertUntil(ended, written, 10, one, other));
      for (int i = 0; i < 3; i++) {
        int before = written.get();
        await("a boundary above the last rows")
            .until(
                () -> {
                  long snapshot = client.chooseSnapshot(HOUR, one, other);
                  return readsBaseDataOnly(one, snapshot, before)
                      && readsBaseDataOnly(other, snapshot, before);
                });
      }
      ended.set(true);
      writer.get();
    } finally {
      ended.set(true);
      threads.shutdownNow();
    }
    await("rows of idle tablets are flushed after the next boundary")
        .until(() -> readsBaseDataOnly(one, client.chooseSnapshot(HOUR, one), written.get()));
  }

  /** Inserts rows into all tables again and again, and counts those of one table. */
  private static Void insertUntil(
      AtomicBoolean ended, AtomicInteger written, int rows, KuduTable... tables)
      throws KuduException {
    while (!ended.get()) {
      for (KuduTable table : tables) {
        insert(table, written.get(), written.get() + rows);
      }
      written.addAndGet(rows);
    }
    return null;
  }

  private static KuduTable createWithEpochs(String name, int tablets) throws KuduException {
    KuduTable table = create(name, tablets);
    client.alterTable(
        name, new AlterTableOptions().alterExtraConfigs(Map.of("kudu4j.epoch_sec", "1")));
    return table;
  }

  /** Whether a scan of the snapshot sees so many rows, a boundary, and nothing in memory. */
  private static boolean readsBaseDataOnly(KuduTable table, long snapshot, int rows)
      throws KuduException {
    KuduScanner scanner = scannerAt(table, snapshot);
    boolean enough = count(scanner) >= rows;
    ScanReport.Tablet total = scanner.getScanReport().getTotal();
    return enough
        && HybridTimeUtil.HTTimestampToPhysicalAndLogical(snapshot)[0] % 1_000_000 == 0
        && total.get(ScanCounter.MEMROWSETS) == 0
        && total.get(ScanCounter.CHANGES) == 0;
  }

  private static KuduScanner scannerAt(KuduTable table, long snapshot) {
    return client
        .newScannerBuilder(table)
        .readMode(ReadMode.READ_AT_SNAPSHOT)
        .snapshotTimestampRaw(snapshot)
        .replicaSelection(ReplicaSelection.LEADER_ONLY)
        .report(true)
        .build();
  }

  private static int countAt(KuduTable table, long snapshot) throws KuduException {
    KuduScanner scanner = scannerAt(table, snapshot);
    int rows = count(scanner);
    assertThat(scanner.getScanReport().getTotal().get(ScanCounter.MEMROWSETS)).isZero();
    return rows;
  }

  @Test
  void allTokensReadOneSnapshot() throws Exception {
    KuduTable table = create("tokens", 3);
    insert(table, 0, 100);
    flush(table);
    insert(table, 100, 150);
    Set<Long> snapshots = new HashSet<>();
    for (KuduScanToken token : client.newScanTokenBuilder(table).freshness(HOUR).build()) {
      KuduScanner scanner = token.intoScanner(client);
      count(scanner);
      snapshots.add(scanner.getSnapshotTimestamp());
    }
    assertThat(snapshots).hasSize(1);
  }

  /** The writer counts what it has written; the reader must see what was there that long ago. */
  @Test
  void noScanIsOlderThanAsked() throws Exception {
    KuduTable table = create("counted", 1);
    AtomicInteger written = new AtomicInteger();
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<?> writer = threads.submit(() -> insertUntil(ended, written, 5, table));
      await("rows are written").until(() -> written.get() > 100);
      Random random = new Random(3);
      for (int i = 0; i < 60; i++) {
        Duration freshness = Duration.ofMillis(random.nextInt(200));
        int before = written.get();
        long start = System.nanoTime();
        await("the rows are old enough")
            .until(() -> System.nanoTime() - start > freshness.toNanos());
        long asked = System.nanoTime();
        KuduScanner scanner = scanner(table, freshness);
        assertThat(count(scanner)).as("freshness %s", freshness).isGreaterThanOrEqualTo(before);
        assertThat(scanner.getStaleness().orElseThrow())
            .as("told, with the time of the call")
            .isLessThan(freshness.plusNanos(System.nanoTime() - asked).plusMillis(20));
        if (i == 20) {
          flush(table);
        }
      }
      ended.set(true);
      writer.get();
    } finally {
      ended.set(true);
      threads.shutdownNow();
    }
  }

  @Test
  void contradictionsAreRefused() throws KuduException {
    KuduTable table = create("refused", 1);
    assertThatThrownBy(() -> scanner(table, Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("negative");
    assertThatThrownBy(
            () ->
                client
                    .newScannerBuilder(table)
                    .freshness(HOUR)
                    .readMode(ReadMode.READ_LATEST)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("READ_AT_SNAPSHOT");
  }
}
