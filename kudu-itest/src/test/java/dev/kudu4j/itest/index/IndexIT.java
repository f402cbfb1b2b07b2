package dev.kudu4j.itest.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.Metrics;
import dev.kudu4j.itest.support.PublishedTool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kudu.ColumnSchema.ColumnSchemaBuilder;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.AlterTableOptions;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduPredicate.ComparisonOp;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.Operation;
import org.apache.kudu.client.PartialRow;
import org.apache.kudu.client.RowResult;
import org.apache.kudu.client.SessionConfiguration.FlushMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * Indexes of our servers with Apache Kudu's client and tool: created, used, kept up to date and
 * dropped by programs that know only properties of tables.
 */
class IndexIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String INDEX = "kudu4j.index.by_customer";
  private static final int ROWS = 20_000;
  private static final int CUSTOMERS = 1_000;
  private static final int ROWS_OF_CUSTOMER = ROWS / CUSTOMERS;

  @TempDir static Path directory;
  private static LocalCluster cluster;
  private static KuduClient client;
  private static OurView ours;

  @BeforeAll
  static void start() {
    cluster = new LocalCluster(directory, "--maintenance_manager_polling_interval_ms=50").start();
    client = new KuduClient.KuduClientBuilder(cluster.masters()).build();
    ours = new OurView(cluster.masters());
  }

  @AfterAll
  static void stop() throws IOException {
    try {
      ours.close();
      client.close();
    } finally {
      cluster.close();
    }
  }

  // ---------------------------------------------------------------- tables

  private static KuduTable create(String name) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("customer", Type.STRING).build(),
                new ColumnSchemaBuilder("price", Type.INT32).nullable(true).build()));
    KuduTable table =
        client.createTable(
            name,
            schema,
            new CreateTableOptions().addHashPartitions(List.of("id"), 2).setNumReplicas(1));
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    for (long id = 0; id < ROWS; id++) {
      session.apply(operation(table.newInsert(), id, customerOf(id)));
    }
    session.close();
    assertThat(session.getPendingErrors().getRowErrors()).isEmpty();
    cluster.flush();
    return table;
  }

  private static Operation operation(Operation operation, long id, String customer) {
    PartialRow row = operation.getRow();
    row.addLong("id", id);
    row.addString("customer", customer);
    return operation;
  }

  /** The values are not sorted by id, so statistics of pages exclude none. */
  private static String customerOf(long id) {
    return customer(id * 7919 % CUSTOMERS);
  }

  private static String customer(long number) {
    return "customer " + number;
  }

  private static List<Long> idsOf(String customer) {
    List<Long> ids = new ArrayList<>();
    for (long id = 0; id < ROWS; id++) {
      if (customerOf(id).equals(customer)) {
        ids.add(id);
      }
    }
    return ids;
  }

  private static void write(KuduTable table, Operation operation) throws KuduException {
    KuduSession session = client.newSession();
    assertThat(session.apply(operation).hasRowError()).as(table.getName()).isFalse();
    session.close();
  }

  /** The ids of the rows of a customer, from the published client. */
  private static List<Long> read(String name, String column, String customer) throws KuduException {
    KuduTable table = client.openTable(name);
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .addPredicate(
                KuduPredicate.newComparisonPredicate(
                    table.getSchema().getColumn(column), ComparisonOp.EQUAL, customer))
            .build();
    List<Long> ids = new ArrayList<>();
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        ids.add(row.getLong("id"));
      }
    }
    ids.sort(null);
    return ids;
  }

  private static void configure(String table, String property, String value) throws KuduException {
    client.alterTable(table, new AlterTableOptions().alterExtraConfigs(Map.of(property, value)));
  }

  /** The rows that the server examines while something is read. */
  private static long rowsExamined(Reading reading) throws Exception {
    double before = rowsExamined();
    reading.read();
    return (long) (rowsExamined() - before);
  }

  @FunctionalInterface
  private interface Reading {
    void read() throws Exception;
  }

  private static double rowsExamined() throws Exception {
    return Metrics.of(cluster.tabletServer()).sum("kudu_tablet_scanner_rows_scanned_total", "");
  }

  private static void awaitUse(String table, String column) {
    await("all rowsets have the index")
        .atMost(PATIENCE)
        .until(() -> ours.isUsed("by_customer", table, column, customer(77)));
  }

  // ---------------------------------------------------------------- the published client

  @Test
  void thePublishedClientCreatesAnIndexThatItsScansUse(TestInfo test) throws Exception {
    String name = test.getTestMethod().orElseThrow().getName();
    KuduTable table = create(name);
    List<Long> ids = idsOf(customer(77));
    assertThat(rowsExamined(() -> assertThat(read(name, "customer", customer(77))).isEqualTo(ids)))
        .isGreaterThan(ROWS / 2);

    configure(name, INDEX, "local (customer)");
    assertThat(client.openTable(name).getExtraConfig()).containsEntry(INDEX, "LOCAL (customer)");
    assertThat(ours.indexes(name)).hasToString("[LOCAL (customer)]");
    awaitUse(name, "customer");
    assertThat(rowsExamined(() -> assertThat(read(name, "customer", customer(77))).isEqualTo(ids)))
        .isLessThan(2 * ROWS_OF_CUSTOMER);

    write(table, operation(table.newInsert(), ROWS, customer(77)));
    write(table, operation(table.newUpdate(), ids.get(0), customer(78)));
    Operation delete = table.newDelete();
    delete.getRow().addLong("id", ids.get(1));
    write(table, delete);
    List<Long> changed = new ArrayList<>(ids.subList(2, ids.size()));
    changed.add((long) ROWS);
    assertThat(
            rowsExamined(() -> assertThat(read(name, "customer", customer(77))).isEqualTo(changed)))
        .isLessThan(2 * ROWS_OF_CUSTOMER);
    assertThat(read(name, "customer", customer(78))).contains(ids.get(0));
    cluster.flush();
    assertThat(read(name, "customer", customer(77))).isEqualTo(changed);
    awaitUse(name, "customer");

    configure(name, INDEX, "");
    assertThat(client.openTable(name).getExtraConfig()).isEmpty();
    await("no rowset has the index")
        .atMost(PATIENCE)
        .until(() -> rowsExamined(() -> read(name, "customer", customer(77))), r -> r > ROWS / 2);
    assertThat(read(name, "customer", customer(77))).isEqualTo(changed);
    client.deleteTable(name);
  }

  @Test
  void existingRowsAreIndexedWhileRowsAreWritten(TestInfo test) throws Exception {
    String name = test.getTestMethod().orElseThrow().getName();
    KuduTable table = create(name);
    List<Long> ids = idsOf(customer(77)); // of rows that nobody changes
    AtomicBoolean ended = new AtomicBoolean();
    AtomicLong written = new AtomicLong();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<?> writer = threads.submit(() -> writeUntil(ended, table, written));
      awaitMore(written, writer);
      configure(name, INDEX, "LOCAL (customer)");
      await("all rowsets have the index")
          .atMost(PATIENCE)
          .until(
              () -> {
                assertThat(read(name, "customer", customer(77))).isEqualTo(ids);
                return ours.isUsed("by_customer", name, "customer", customer(77));
              });
      awaitMore(written, writer);
      ended.set(true);
      writer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } finally {
      ended.set(true);
      threads.shutdownNow();
    }
    cluster.flush();
    awaitUse(name, "customer");
    assertThat(read(name, "customer", customer(77))).isEqualTo(ids);
    assertThat(read(name, "customer", "another")).hasSize((int) written.get());
    client.deleteTable(name);
  }

  /** Inserts rows of another customer. */
  private static Void writeUntil(AtomicBoolean ended, KuduTable table, AtomicLong written)
      throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    for (long i = 0; !ended.get(); i++) {
      session.apply(operation(table.newInsert(), ROWS + i, "another"));
      if (i % 100 == 99) {
        session.flush().forEach(answer -> assertThat(answer.hasRowError()).isFalse());
        written.set(i + 1);
      }
    }
    session.flush().forEach(answer -> assertThat(answer.hasRowError()).isFalse());
    session.close();
    return null;
  }

  private static void awaitMore(AtomicLong written, Future<?> writer) {
    long enough = written.get() + 2_000;
    await("rows are written")
        .atMost(PATIENCE)
        .until(() -> written.get() >= enough || writer.isDone());
  }

  @Test
  void columnsOfAnIndexCanBeRenamedAndNotDropped(TestInfo test) throws Exception {
    String name = test.getTestMethod().orElseThrow().getName();
    create(name);
    configure(name, INDEX, "LOCAL (customer) INCLUDE (price)");
    client.alterTable(name, new AlterTableOptions().renameColumn("customer", "client"));
    assertThat(client.openTable(name).getExtraConfig())
        .containsEntry(INDEX, "LOCAL (client) INCLUDE (price)");
    awaitUse(name, "client");
    assertThat(read(name, "client", customer(77))).isEqualTo(idsOf(customer(77)));
    for (String column : List.of("client", "price")) {
      assertThatThrownBy(() -> client.alterTable(name, new AlterTableOptions().dropColumn(column)))
          .isInstanceOf(KuduException.class)
          .hasMessageContaining("Column " + column + " is part of the index by_customer");
    }
    configure(name, INDEX, "");
    client.alterTable(name, new AlterTableOptions().dropColumn("price"));
    assertThat(client.openTable(name).getSchema().hasColumn("price")).isFalse();
    client.deleteTable(name);
  }

  @Test
  void invalidIndexesAreRefused(TestInfo test) throws Exception {
    String name = test.getTestMethod().orElseThrow().getName();
    create(name);
    refused(name, "LOCAL (nobody)", "the table has no column nobody");
    refused(name, "by customer", "expected LOCAL");
    refused(name, "", "The table has no index by_customer");
    client.deleteTable(name);
  }

  private static void refused(String table, String value, String message) {
    assertThatThrownBy(() -> configure(table, INDEX, value))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining(message);
  }

  // ---------------------------------------------------------------- the published tool

  @Test
  void thePublishedToolCreatesAnIndexThatItsScansUse(TestInfo test) throws Exception {
    PublishedTool tool = PublishedTool.find();
    String name = test.getTestMethod().orElseThrow().getName();
    create(name);
    tool.succeed(
        "table", "set_extra_config", cluster.masters(), name, INDEX, "LOCAL (customer, id)");
    assertThat(tool.succeed("table", "get_extra_configs", cluster.masters(), name))
        .contains(INDEX, "LOCAL (customer, id)");
    awaitUse(name, "customer");
    long examined =
        rowsExamined(
            () ->
                assertThat(
                        tool.succeed(
                            "table",
                            "scan",
                            cluster.masters(),
                            name,
                            "--predicates=[\"AND\", [\"=\", \"customer\", \"customer 77\"]]"))
                    .contains("Total count " + ROWS_OF_CUSTOMER));
    assertThat(examined).isLessThan(2 * ROWS_OF_CUSTOMER);
    tool.succeed("table", "set_extra_config", cluster.masters(), name, INDEX, "");
    assertThat(ours.indexes(name)).isEmpty();
    client.deleteTable(name);
  }
}
