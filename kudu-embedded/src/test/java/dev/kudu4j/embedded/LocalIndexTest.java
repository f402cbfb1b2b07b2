package dev.kudu4j.embedded;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduCompaction;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduIndexHint;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.ScanCounter;
import dev.kudu4j.client.ScanReport;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Local indexes from the client's view: extra configuration, reports of scans, errors. */
@Timeout(180)
class LocalIndexTest {
  private static final int ROWS = 40_000;
  private static final int CUSTOMERS = 2000;
  private static final String INDEX = "kudu4j.index.by_customer";

  private static EmbeddedCluster cluster;
  private static KuduClient client;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.builder().tabletServers(1).start();
    client = cluster.client();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static KuduTable create(String name, CreateTableOptions options) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("customer", Type.STRING).build(),
                new ColumnSchemaBuilder("price", Type.INT32).build()));
    KuduTable table =
        client.createTable(
            name, schema, options.addHashPartitions(List.of("id"), 2).setNumReplicas(1));
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    for (long id = 0; id < ROWS; id++) {
      Operation insert = table.newInsert();
      insert.getRow().addLong("id", id);
      insert.getRow().addString("customer", customer(id * 7919 % CUSTOMERS));
      insert.getRow().addInt("price", (int) (id % 100));
      session.apply(insert);
    }
    session.close();
    assertThat(session.getPendingErrors().getRowErrors()).isEmpty();
    return table;
  }

  private static String customer(long number) {
    return "customer " + number;
  }

  /** Writes the rows in memory to rowsets. */
  private static void flush(KuduTable table) throws KuduException {
    KuduCompaction compaction = table.compact();
    await("all replicas are compacted").until(compaction::poll);
  }

  /** Reads the rows of one customer. */
  private static ScanReport read(String table, String column, List<Long> ids) throws KuduException {
    KuduTable opened = client.openTable(table);
    KuduScanner scanner =
        client
            .newScannerBuilder(opened)
            .addPredicate(
                KuduPredicate.newComparisonPredicate(
                    opened.getSchema().getColumn(column), ComparisonOp.EQUAL, customer(77)))
            .report(true)
            .build();
    for (RowResult row : scanner) {
      ids.add(row.getLong("id"));
    }
    return scanner.getScanReport();
  }

  private static void verifyRows(List<Long> ids) {
    assertThat(ids)
        .hasSize(ROWS / CUSTOMERS)
        .allSatisfy(id -> assertThat(id * 7919 % CUSTOMERS).isEqualTo(77));
  }

  private static boolean isIndexed(String table, String column) throws KuduException {
    List<Long> ids = new ArrayList<>();
    ScanReport.Tablet report = read(table, column, ids).getTotal();
    verifyRows(ids);
    if (report.get(ScanCounter.ROWSETS_INDEXED) < report.get(ScanCounter.ROWSETS)) {
      return false;
    }
    assertThat(report.get(ScanCounter.ROWS_INDEXED)).isEqualTo(ids.size());
    return true;
  }

  private static void configure(String table, String index, String text) throws KuduException {
    client.alterTable(table, new AlterTableOptions().alterExtraConfigs(Map.of(index, text)));
  }

  @Test
  void anIndexOfAnExistingTableIsBuiltAndDropped() throws Exception {
    KuduTable table = create("orders", new CreateTableOptions());
    flush(table);
    assertThat(isIndexed("orders", "customer")).isFalse();

    configure("orders", INDEX, "local (customer) include (price)");
    await("all rowsets have the index").until(() -> isIndexed("orders", "customer"));
    assertThat(client.openTable("orders").getExtraConfig())
        .containsEntry(INDEX, "LOCAL (customer) INCLUDE (price)");

    client.alterTable("orders", new AlterTableOptions().renameColumn("customer", "client"));
    assertThat(client.openTable("orders").getExtraConfig())
        .containsEntry(INDEX, "LOCAL (client) INCLUDE (price)");
    assertThat(isIndexed("orders", "client")).isTrue();
    for (String column : List.of("client", "price")) {
      assertThatThrownBy(
              () -> client.alterTable("orders", new AlterTableOptions().dropColumn(column)))
          .isInstanceOf(KuduException.class)
          .hasMessageContaining("Column " + column + " is part of the index by_customer");
    }

    configure("orders", INDEX, "");
    assertThat(client.openTable("orders").getExtraConfig()).isEmpty();
    await("some rowset has lost the index").until(() -> !isIndexed("orders", "client"));
    client.alterTable("orders", new AlterTableOptions().dropColumn("price"));
  }

  @Test
  void rowsetsOfANewTableHaveTheIndexFromTheStart() throws Exception {
    KuduTable table =
        create(
            "indexed",
            new CreateTableOptions()
                .addIndex(KuduIndex.local("by_customer", "customer", "price"))
                .addIndex(KuduIndex.local("by_price", "price").includingOthers()));
    flush(table);
    assertThat(isIndexed("indexed", "customer")).isTrue();
    List<KuduIndex> indexes = client.openTable("indexed").getIndexes();
    assertThat(indexes).extracting(KuduIndex::getName).containsExactly("by_customer", "by_price");
    assertThat(indexes.get(0).getColumns()).containsExactly("customer", "price");
    assertThat(indexes.get(1).getIncludedColumns()).containsExactly("id", "customer");

    client.alterTable("indexed", new AlterTableOptions().dropIndex("by_price"));
    assertThat(client.openTable("indexed").getIndexes()).hasToString("[LOCAL (customer, price)]");
  }

  @Test
  void invalidIndexesAreRefused() throws Exception {
    create("refused", new CreateTableOptions());
    refused("LOCAL (nobody)", "Index by_customer: the table has no column nobody");
    refused("REMOTE (customer)", "Index by_customer: expected LOCAL");
    refused("", "The table has no index by_customer");
    configure("refused", INDEX, "LOCAL (customer)");
    configure("refused", INDEX, "LOCAL (customer)");
    refused("LOCAL (price)", "has an index by_customer already");
  }

  @Test
  void hintsForbidAndForceIndexes() throws Exception {
    KuduTable table =
        create(
            "hinted",
            new CreateTableOptions()
                .addIndex(KuduIndex.local("by_customer", "customer"))
                .addIndex(KuduIndex.local("by_price", "price")));
    flush(table);
    assertThat(usedIndexes(table, KuduIndexHint.optimizer())).containsExactly("by_customer");
    assertThat(usedIndexes(table, KuduIndexHint.force("by_price"))).containsExactly("by_price");
    assertThat(usedIndexes(table, KuduIndexHint.forbid())).isEmpty();
    assertThat(usedIndexes(table, KuduIndexHint.forbid("by_customer"))).isEmpty();
    assertThatThrownBy(() -> plan(table, KuduIndexHint.force("by_nobody")))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("no index by_nobody; it has by_customer, by_price");

    ScanReport.Tablet plan = plan(table, KuduIndexHint.optimizer());
    assertThat(plan.getRows()).isZero();
    ScanReport.Index chosen = plan.getIndexes().get(0);
    assertThat(chosen.getName()).isEqualTo("by_customer");
    assertThat(chosen.getEstimatedRows()).isEqualTo(ROWS / CUSTOMERS);
    assertThat(chosen.getEstimatedNanos()).isLessThan(plan.getEstimatedScanNanos());
    ScanReport.Index alternative = plan.getIndexes().get(1);
    assertThat(alternative.getUsedStores()).isZero();
    assertThat(alternative.getEstimatedRows()).isBetween(ROWS / 50L / 2, ROWS / 50L * 2);
  }

  @Test
  void anIndexWithAllColumnsOfTheScanIsReadInsteadOfTheRows() throws Exception {
    KuduTable table =
        create(
            "covered",
            new CreateTableOptions()
                .addIndex(KuduIndex.local("by_price", "price").including("customer")));
    flush(table);
    KuduPredicate cheap =
        KuduPredicate.newComparisonPredicate(
            table.getSchema().getColumn("price"), ComparisonOp.LESS, 10);
    KuduAggregate count =
        table.aggregate().addPredicate(cheap).count("n").max("c", "customer").report(true).build();
    RowResult row = count.execute().next();
    assertThat(row.getLong("n")).isEqualTo(ROWS / 10);
    assertThat(row.getString("c")).isEqualTo(customer(995));
    ScanReport.Tablet report = count.getScanReport().getTotal();
    assertThat(report.get(ScanCounter.ROWSETS_INDEXED)).isEqualTo(report.get(ScanCounter.ROWSETS));
    assertThat(report.get(ScanCounter.ROWS_VISITED)).isLessThan(ROWS / 2);
  }

  private static List<String> usedIndexes(KuduTable table, KuduIndexHint hint)
      throws KuduException {
    KuduScanner scanner = twoFilters(table, hint).report(true).build();
    int rows = 0;
    for (RowResult row : scanner) {
      assertThat(row.getString("customer")).isEqualTo(customer(77));
      rows++;
    }
    assertThat(rows).isEqualTo(ROWS / CUSTOMERS);
    return used(scanner.getScanReport().getTotal());
  }

  private static List<String> used(ScanReport.Tablet report) {
    return report.getIndexes().stream()
        .filter(index -> index.getUsedStores() > 0)
        .map(ScanReport.Index::getName)
        .toList();
  }

  private static ScanReport.Tablet plan(KuduTable table, KuduIndexHint hint) throws KuduException {
    KuduScanner scanner = twoFilters(table, hint).planOnly(true).build();
    while (scanner.hasMoreRows()) {
      assertThat(scanner.nextRows().getNumRows()).isZero();
    }
    return scanner.getScanReport().getTotal();
  }

  /** A scan with two filters: one matches few rows, the other a fiftieth of the rows. */
  private static KuduScanner.KuduScannerBuilder twoFilters(KuduTable table, KuduIndexHint hint) {
    Schema schema = table.getSchema();
    return client
        .newScannerBuilder(table)
        .indexHint(hint)
        .addPredicate(
            KuduPredicate.newComparisonPredicate(
                schema.getColumn("customer"), ComparisonOp.EQUAL, customer(77)))
        .addPredicate(KuduPredicate.newInListPredicate(schema.getColumn("price"), List.of(50, 83)));
  }

  private static void refused(String text, String message) {
    assertThatThrownBy(() -> configure("refused", INDEX, text))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining(message);
  }
}
