package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.Daemon;
import dev.kudu4j.itest.support.LocalCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The leader of three masters is killed. Clients that create, change or drop tables, or write to
 * them, see only longer latencies. Afterwards the catalog and the tablets agree.
 */
public abstract class MasterFaultCases {
  private static final int MASTERS = 3;
  private static final int TABLET_SERVERS = 2;
  private static final int CONCURRENT = 10;
  private static final int TABLETS = 2;
  private static final int PATIENCE_MILLIS = 120_000;
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime());

  private final Random random = new Random(SEED);

  @TempDir Path directory;
  private LocalCluster cluster;
  private KuduClient client;

  /**
   * Whether a client that repeats a change after a lost response learns that the change has been
   * made.
   */
  protected abstract boolean knowsRepeats();

  @BeforeEach
  void start() {
    System.out.printf("master faults: -Dfaults.seed=%d%n", SEED);
    cluster =
        LocalCluster.withMasters(directory, MASTERS, TABLET_SERVERS, "--time_source=system_unsync");
    cluster.start();
    client =
        new KuduClient.KuduClientBuilder(cluster.masters())
            .defaultAdminOperationTimeoutMs(PATIENCE_MILLIS)
            .defaultOperationTimeoutMs(PATIENCE_MILLIS)
            .build();
  }

  @AfterEach
  void stop() throws KuduException {
    try {
      if (client != null) {
        client.close();
      }
    } finally {
      cluster.close();
    }
  }

  @Test
  void tablesAreCreatedAndChangedWhileTheLeadingMasterIsKilled() throws Exception {
    makeAndChange(40, 1);
  }

  @Test
  @Tag("nightly")
  void tablesAreCreatedAndChangedWhileMastersAreKilledInTurn() throws Exception {
    makeAndChange(400, 10);
  }

  @Test
  void rowsAreWrittenAndTablesCreatedWithoutTheKilledMaster() throws Exception {
    KuduTable table = create("before");
    writeAndRead(table, 1);
    Daemon leader = cluster.awaitLeadingMaster();
    leader.kill();
    writeAndRead(table, 2);
    once(() -> create("after"));
    writeAndRead(client.openTable("after"), 1);
    assertThat(client.getTablesList().getTablesList()).containsExactlyInAnyOrder("before", "after");
    leader.start();
    cluster.awaitLeadingMaster().kill();
    writeAndRead(client.openTable("before"), 3);
    once(() -> client.deleteTable("before"));
    assertThat(client.getTablesList().getTablesList()).containsExactly("after");
  }

  /**
   * Creates and changes many tables concurrently, while leading masters are killed and restarted.
   */
  private void makeAndChange(int tables, int kills) throws Exception {
    AtomicInteger done = new AtomicInteger();
    ExecutorService workers = Executors.newFixedThreadPool(CONCURRENT);
    List<Future<?>> fates = new ArrayList<>();
    for (int i = 0; i < tables; i++) {
      int number = i;
      fates.add(
          workers.submit(
              () -> {
                live(number);
                done.incrementAndGet();
                return null;
              }));
    }
    for (int kill = 0; kill < kills; kill++) {
      int killAt = (kill * tables + random.nextInt(tables)) / (kills + 1);
      await(killAt + " tables are done")
          .atMost(Duration.ofMillis(PATIENCE_MILLIS))
          .pollInterval(Duration.ofMillis(5))
          .until(
              () -> done.get() >= killAt || fates.stream().anyMatch(MasterFaultCases::hasFailed));
      Daemon leader = cluster.awaitLeadingMaster();
      leader.kill();
      cluster.awaitLeadingMaster();
      leader.start();
    }
    for (Future<?> fate : fates) {
      fate.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }
    workers.shutdown();
    checkCatalog(tables);
    checkTablets();
  }

  private static boolean hasFailed(Future<?> fate) {
    if (!fate.isDone()) {
      return false;
    }
    try {
      fate.get();
      return false;
    } catch (Exception e) {
      return true;
    }
  }

  // The changes of a table depend on its number.

  private static boolean isRenamed(int number) {
    return number % 3 == 0;
  }

  private static boolean isDropped(int number) {
    return number % 5 == 0;
  }

  private static String nameAtLast(int number) {
    return (isRenamed(number) ? "renamed-" : "table-") + number;
  }

  private void live(int number) throws Exception {
    once(() -> create("table-" + number));
    AlterTableOptions alteration =
        new AlterTableOptions()
            .addColumn(new ColumnSchemaBuilder("more", Type.STRING).nullable(true).build());
    if (isRenamed(number)) {
      alteration.renameTable(nameAtLast(number));
    }
    once(() -> client.alterTable("table-" + number, alteration));
    if (isDropped(number)) {
      once(() -> client.deleteTable(nameAtLast(number)));
    }
  }

  private interface Change {
    Object make() throws KuduException;
  }

  /**
   * Makes a change. A client that cannot recognize its own repeated change may get the error that
   * the change has already been made.
   */
  private void once(Change change) throws KuduException {
    try {
      change.make();
    } catch (KuduException e) {
      boolean repeated = e.getStatus().isAlreadyPresent() || e.getStatus().isNotFound();
      if (knowsRepeats() || !repeated) {
        throw e;
      }
    }
  }

  private KuduTable create(String name) throws KuduException {
    List<ColumnSchema> columns =
        List.of(
            new ColumnSchemaBuilder("k", Type.INT64).key(true).build(),
            new ColumnSchemaBuilder("v", Type.STRING).build());
    return client.createTable(
        name,
        new Schema(columns),
        new CreateTableOptions().setNumReplicas(1).addHashPartitions(List.of("k"), TABLETS));
  }

  // What must be true afterwards.

  private void checkCatalog(int tables) throws KuduException {
    Set<String> expected = new TreeSet<>();
    for (int i = 0; i < tables; i++) {
      if (!isDropped(i)) {
        expected.add(nameAtLast(i));
      }
    }
    assertThat(client.getTablesList().getTablesList()).hasSameElementsAs(expected);
    for (String name : expected) {
      KuduTable table = client.openTable(name);
      assertThat(table.getSchema().getColumns())
          .as("columns of %s", name)
          .extracting(ColumnSchema::getName)
          .containsExactly("k", "v", "more");
      writeAndRead(table, 1);
    }
  }

  /**
   * Checks that every replica belongs to a table, after those of dropped tables have been deleted.
   */
  private void checkTablets() throws KuduException {
    int expected = TABLETS * client.getTablesList().getTablesList().size();
    await("the servers have " + expected + " replicas")
        .atMost(Duration.ofMillis(PATIENCE_MILLIS))
        .until(
            () ->
                cluster.tabletServers().stream().mapToInt(AdminCalls::tabletCount).sum()
                    == expected);
  }

  /** Writes row {@code count}, and checks the number of rows. */
  private void writeAndRead(KuduTable table, int count) throws KuduException {
    KuduSession session = client.newSession();
    Insert insert = table.newInsert();
    insert.getRow().addLong("k", count);
    insert.getRow().addString("v", table.getName());
    OperationResponse response = session.apply(insert);
    assertThat(response.hasRowError()).as("row error in %s", table.getName()).isFalse();
    session.close();
    KuduScanner scanner = client.newScannerBuilder(table).build();
    int found = 0;
    while (scanner.hasMoreRows()) {
      found += scanner.nextRows().getNumRows();
    }
    assertThat(found).as("rows of %s", table.getName()).isEqualTo(count);
  }
}
