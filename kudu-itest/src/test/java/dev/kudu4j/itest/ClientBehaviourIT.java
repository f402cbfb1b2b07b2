package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.itest.support.AdminCalls;
import dev.kudu4j.itest.support.Await;
import dev.kudu4j.itest.support.LocalCluster;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Date;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.ColumnSchema.ColumnSchemaBuilder;
import org.apache.kudu.ColumnSchema.Encoding;
import org.apache.kudu.ColumnTypeAttributes.ColumnTypeAttributesBuilder;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.AlterTableOptions;
import org.apache.kudu.client.AsyncKuduScanner.ReadMode;
import org.apache.kudu.client.AsyncKuduScanner.RowDataFormat;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.ExternalConsistencyMode;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduPartitioner;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduPredicate.ComparisonOp;
import org.apache.kudu.client.KuduScanToken;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduScanner.KuduScannerBuilder;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.LocatedTablet;
import org.apache.kudu.client.Operation;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.PartialRow;
import org.apache.kudu.client.RangePartitionBound;
import org.apache.kudu.client.RangePartitionWithCustomHashSchema;
import org.apache.kudu.client.RowResult;
import org.apache.kudu.client.SessionConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the published client sees, expectation by expectation as the published servers behave. With
 * the system property {@code behaviour.masters} the same is asked of servers that run already, such
 * as Apache Kudu's.
 */
class ClientBehaviourIT {
  private static final String MASTERS = System.getProperty("behaviour.masters");

  @TempDir static Path directory;
  private static LocalCluster cluster;
  private static KuduClient client;

  @BeforeAll
  static void start() {
    if (MASTERS == null) {
      cluster = new LocalCluster(directory, "--time_source=system_unsync").start();
    }
    client =
        new KuduClient.KuduClientBuilder(MASTERS == null ? cluster.masters() : MASTERS).build();
  }

  @AfterAll
  static void stop() throws KuduException {
    if (client != null) {
      client.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Published servers flush when they like; the answers must not depend on it. */
  private static void flush() {
    if (cluster != null) {
      AdminCalls.flush(cluster.tabletServer());
    }
  }

  // Words

  private static ColumnSchemaBuilder column(String name, Type type) {
    return new ColumnSchemaBuilder(name, type);
  }

  private static ColumnSchema key(String name, Type type) {
    return column(name, type).key(true).build();
  }

  private static ColumnSchemaBuilder decimal(String name, int precision, int scale) {
    return column(name, Type.DECIMAL)
        .typeAttributes(
            new ColumnTypeAttributesBuilder().precision(precision).scale(scale).build());
  }

  private static Schema schema(ColumnSchema... columns) {
    return new Schema(List.of(columns));
  }

  private static CreateTableOptions options() {
    return new CreateTableOptions().setNumReplicas(1);
  }

  private static CreateTableOptions oneTablet() {
    return options().setRangePartitionColumns(List.of());
  }

  private static AlterTableOptions alter() {
    return new AlterTableOptions();
  }

  private static PartialRow row(Schema schema, Object... namesAndValues) {
    return fill(schema.newPartialRow(), namesAndValues);
  }

  private static PartialRow fill(PartialRow row, Object... namesAndValues) {
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i + 1] == null) {
        row.setNull((String) namesAndValues[i]);
      } else {
        row.addObject((String) namesAndValues[i], namesAndValues[i + 1]);
      }
    }
    return row;
  }

  private static Operation op(Operation operation, Object... namesAndValues) {
    fill(operation.getRow(), namesAndValues);
    return operation;
  }

  /** One batch; each outcome in words, then the counts that are not 0. */
  private static List<String> apply(Operation... operations) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(SessionConfiguration.FlushMode.MANUAL_FLUSH);
    for (Operation operation : operations) {
      session.apply(operation);
    }
    List<String> outcomes = new ArrayList<>();
    for (OperationResponse response : session.flush()) {
      outcomes.add(
          response.hasRowError() ? response.getRowError().getErrorStatus().toString() : "ok");
    }
    Map<String, Long> counts = new TreeMap<>(session.getWriteOpMetrics().get());
    counts.values().removeIf(count -> count == 0);
    outcomes.add(counts.toString());
    session.close();
    return outcomes;
  }

  private interface Narrowing {
    KuduScannerBuilder with(KuduScannerBuilder builder);
  }

  /** Row-wise and columnar must agree. */
  private static List<String> scan(KuduTable table, Narrowing narrowing) throws KuduException {
    List<String> rows =
        rows(narrowing.with(client.newScannerBuilder(table)).build(), RowDataFormat.ROWWISE);
    List<String> columnar =
        rows(narrowing.with(client.newScannerBuilder(table)).build(), RowDataFormat.COLUMNAR);
    assertThat(columnar).containsExactlyInAnyOrderElementsOf(rows);
    return rows;
  }

  private static List<String> scan(KuduTable table) throws KuduException {
    return scan(table, builder -> builder);
  }

  private static List<String> rows(KuduScanner scanner, RowDataFormat format) throws KuduException {
    scanner.setRowDataFormat(format);
    List<String> rows = new ArrayList<>();
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        rows.add(text(row));
      }
    }
    scanner.close();
    return rows;
  }

  private static String text(RowResult row) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.getSchema().getColumnCount(); i++) {
      cells.add(row.isNull(i) ? "null" : String.valueOf(row.getObject(i)));
    }
    return String.join(" ", cells);
  }

  private interface Attempt {
    void run() throws Exception;
  }

  private static void refused(Attempt attempt, String code, String text) {
    assertThatThrownBy(attempt::run)
        .isInstanceOf(KuduException.class)
        .satisfies(
            e ->
                assertThat(((KuduException) e).getStatus().toString())
                    .startsWith(code)
                    .contains(text));
  }

  // Tables

  @Test
  void everyTypeKeepsItsAttributesAndDefaults() throws Exception {
    Schema schema =
        schema(
            key("k", Type.INT32),
            column("i8", Type.INT8).defaultValue((byte) -3).build(),
            column("i64", Type.INT64).nullable(true).defaultValue(1L << 40).build(),
            column("f", Type.FLOAT).defaultValue(1.5f).build(),
            column("b", Type.BOOL).defaultValue(true).build(),
            column("s", Type.STRING).defaultValue("").build(),
            column("dt", Type.DATE).defaultValue(Date.valueOf("1999-12-31")).build(),
            decimal("d5", 5, 2).defaultValue(new BigDecimal("123.45")).build(),
            decimal("d38", 38, 10).defaultValue(new BigDecimal("1.0000000000")).build(),
            column("v", Type.VARCHAR)
                .typeAttributes(new ColumnTypeAttributesBuilder().length(5).build())
                .nullable(true)
                .comment("five")
                .build());
    KuduTable table =
        client.createTable(
            "types", schema, options().addHashPartitions(List.of("k"), 2).setOwner("bob"));
    assertThat(table.getOwner()).isEqualTo("bob");
    assertThat(table.getSchema().getColumn("d38").getTypeAttributes().getPrecision()).isEqualTo(38);
    assertThat(table.getSchema().getColumn("v").getTypeAttributes().getLength()).isEqualTo(5);
    assertThat(table.getSchema().getColumn("v").getComment()).isEqualTo("five");
    apply(op(table.newInsert(), "k", 1), op(table.newInsert(), "k", 2, "i64", null, "v", "abc"));
    assertThat(scan(table))
        .containsExactlyInAnyOrder(
            "1 -3 1099511627776 1.5 true  1999-12-31 123.45 1.0000000000 null",
            "2 -3 null 1.5 true  1999-12-31 123.45 1.0000000000 abc");
  }

  @Test
  void partitionsAreCutAsAskedFor() throws Exception {
    Schema schema = schema(key("a", Type.INT32), key("b", Type.STRING));
    RangePartitionWithCustomHashSchema custom =
        new RangePartitionWithCustomHashSchema(
            row(schema, "a", 1),
            row(schema, "a", 10),
            RangePartitionBound.INCLUSIVE_BOUND,
            RangePartitionBound.EXCLUSIVE_BOUND);
    custom.addHashPartitions(List.of("b"), 3, 7);
    KuduTable table =
        client.createTable(
            "cut",
            schema,
            options()
                .addHashPartitions(List.of("b"), 2)
                .setRangePartitionColumns(List.of("a"))
                .addRangePartition(custom)
                .addRangePartition(row(schema, "a", 20), row(schema, "a", 30)));
    assertThat(table.getFormattedRangePartitionsWithHashSchema(10_000))
        .containsExactly(
            "1 <= VALUES < 10 HASH(b) PARTITIONS 3", "20 <= VALUES < 30 HASH(b) PARTITIONS 2");
    assertThat(table.getTabletsLocations(10_000))
        .hasSize(5)
        .allMatch(t -> t.getReplicas().size() == 1);
    assertThat(
            apply(
                op(table.newInsert(), "a", 15, "b", "x"), op(table.newInsert(), "a", 9, "b", "x")))
        .anyMatch(outcome -> outcome.startsWith("Not found"))
        .contains("{successful_inserts=1}");
    KuduPartitioner partitioner = new KuduPartitioner.KuduPartitionerBuilder(table).build();
    assertThat(partitioner.isCovered(row(table.getSchema(), "a", 15, "b", "x"))).isFalse();
    assertThat(partitioner.isCovered(row(table.getSchema(), "a", 25, "b", "x"))).isTrue();
    client.alterTable(
        "cut",
        alter()
            .addRangePartition(
                row(schema, "a", 9),
                row(schema, "a", 19),
                RangePartitionBound.EXCLUSIVE_BOUND,
                RangePartitionBound.INCLUSIVE_BOUND));
    client.alterTable("cut", alter().dropRangePartition(row(schema, "a", 1), row(schema, "a", 10)));
    table = client.openTable("cut");
    assertThat(table.getFormattedRangePartitions(10_000))
        .containsExactly("10 <= VALUES < 20", "20 <= VALUES < 30");
    assertThat(scan(table)).isEmpty();
    for (LocatedTablet tablet : table.getTabletsLocations(10_000)) {
      assertThat(tablet.getLeaderReplica()).isNotNull();
    }
  }

  @Test
  void badTablesAreRefusedInTheWordsOfTheProtocol() throws Exception {
    Schema schema = schema(key("k", Type.INT32), column("v", Type.INT32).nullable(true).build());
    client.createTable("taken", schema, oneTablet());
    refused(
        () -> client.createTable("taken", schema, oneTablet()),
        "Already present",
        "table taken already exists");
    refused(
        () -> client.openTable("nope"),
        "Not found",
        "the table does not exist: table_name: \"nope\"");
    refused(() -> client.deleteTable("nope"), "Not found", "the table does not exist");
    assertThat(client.tableExists("nope")).isFalse();
    refused(
        () -> client.createTable("bad", schema, options().addHashPartitions(List.of("k"), 1)),
        "Invalid argument",
        "must have at least two hash buckets");
    refused(
        () -> client.createTable("bad", schema, options().addHashPartitions(List.of("v"), 2)),
        "Invalid argument",
        "must specify only primary key columns for hash bucket partition components");
    refused(
        () -> client.createTable("bad", schema, options().addHashPartitions(List.of("zz"), 2)),
        "Invalid argument",
        "unknown column: name: \"zz\"");
    refused(
        () ->
            client.createTable(
                "bad",
                schema,
                options()
                    .setRangePartitionColumns(List.of("k"))
                    .addRangePartition(row(schema, "k", 0), row(schema, "k", 10))
                    .addRangePartition(row(schema, "k", 5), row(schema, "k", 15))),
        "Invalid argument",
        "first range partition: 0 <= VALUES < 10, second range partition: 5 <= VALUES < 15");
    Schema prefix =
        schema(
            key("k", Type.INT32),
            column("x", Type.INT64).encoding(Encoding.PREFIX_ENCODING).build());
    refused(
        () -> client.createTable("bad", prefix, oneTablet()),
        "Not implemented",
        "encoding PREFIX_ENCODING not supported for type INT64");
    refused(
        () -> client.createTable("bad", schema, oneTablet().setNumReplicas(2)),
        "Invalid argument",
        "");
  }

  @Test
  void alterationsAreSeenInOldAndNewRows() throws Exception {
    Schema schema = schema(key("k", Type.INT32), column("v", Type.INT32).nullable(true).build());
    KuduTable table = client.createTable("altered", schema, oneTablet());
    apply(op(table.newInsert(), "k", 1, "v", 1));
    client.alterTable(
        "altered",
        alter()
            .addNullableColumn("n", Type.STRING)
            .addColumn("d", Type.INT64, 42L)
            .renameColumn("v", "w"));
    assertThat(scan(client.openTable("altered"))).containsExactly("1 1 null 42");
    client.alterTable(
        "altered", alter().changeDefault("d", 77L).changeComment("d", "new").dropColumn("n"));
    table = client.openTable("altered");
    assertThat(table.getSchema().getColumn("d").getDefaultValue()).isEqualTo(77L);
    apply(op(table.newInsert(), "k", 2));
    flush();
    assertThat(scan(table)).containsExactlyInAnyOrder("1 1 42", "2 null 77");
    client.alterTable("altered", alter().addNullableColumn("n", Type.INT32));
    assertThat(scan(client.openTable("altered")))
        .containsExactlyInAnyOrder("1 1 42 null", "2 null 77 null");
    refused(
        () ->
            client.alterTable(
                "altered", alter().addNullableColumn("z", Type.INT8).dropColumn("nope")),
        "Not found",
        "The specified column does not exist: nope");
    assertThat(client.openTable("altered").getSchema().hasColumn("z")).isFalse();
    refused(
        () -> client.alterTable("altered", alter().addNullableColumn("w", Type.INT32)),
        "Already present",
        "The column already exists: w");
    refused(
        () -> client.alterTable("altered", alter().dropColumn("k")),
        "Invalid argument",
        "cannot remove a key column");
    refused(
        () -> client.alterTable("altered", alter().renameTable("altered")),
        "Already present",
        "altered");
    refused(
        () -> client.alterTable("altered", alter().changeDefault("d", "t")),
        "Invalid argument",
        "wrong size for default value");
    client.alterTable(
        "altered", alter().renameTable("altered too").setComment("c").setOwner("alice"));
    assertThat(client.openTable("altered too").getComment()).isEqualTo("c");
    assertThat(client.tableExists("altered")).isFalse();
  }

  @Test
  void softlyDeletedTablesKeepTheirName() throws Exception {
    Schema schema = schema(key("k", Type.INT32));
    KuduTable table = client.createTable("soft", schema, oneTablet());
    apply(op(table.newInsert(), "k", 1));
    client.deleteTable("soft", 600);
    assertThat(client.getTablesList("soft").getTablesList()).isEmpty();
    assertThat(client.getSoftDeletedTablesList("soft").getTablesList()).containsExactly("soft");
    assertThat(scan(client.openTable("soft"))).containsExactly("1");
    refused(
        () -> client.createTable("soft", schema, oneTablet()),
        "Already present",
        "table soft already exists");
    refused(() -> client.deleteTable("soft", 600), "Invalid argument", "");
    client.recallDeletedTable(table.getTableId());
    refused(() -> client.recallDeletedTable(table.getTableId()), "Not found", table.getTableId());
    client.deleteTable("soft");
    assertThat(client.tableExists("soft")).isFalse();
  }

  @Test
  void statisticsFollowTheWrites() throws Exception {
    KuduTable table = client.createTable("counted", schema(key("k", Type.INT32)), oneTablet());
    apply(
        op(table.newInsert(), "k", 1),
        op(table.newInsert(), "k", 2),
        op(table.newInsert(), "k", 3));
    Await.until("3 rows are told", 30_000, () -> liveRows("counted") == 3);
    apply(op(table.newDelete(), "k", 2));
    Await.until("2 rows are told", 30_000, () -> liveRows("counted") == 2);
    assertThat(client.listTabletServers().getTabletServersCount()).isEqualTo(1);
  }

  private static long liveRows(String table) {
    try {
      return client.getTableStatistics(table).getLiveRowCount();
    } catch (KuduException e) {
      throw new AssertionError(e);
    }
  }

  // Writes

  @Test
  void everyWriteHasItsOutcomeAndCount() throws Exception {
    Schema schema =
        schema(
            key("k", Type.INT32),
            column("v", Type.INT32).nullable(true).build(),
            column("im", Type.INT32).nullable(true).immutable(true).build());
    KuduTable t = client.createTable("writes", schema, oneTablet());
    String immutable =
        "Immutable: UPDATE not allowed for immutable column: im INT32 NULLABLE IMMUTABLE (error 0)";
    assertThat(apply(op(t.newInsert(), "k", 1, "v", 1, "im", 1), op(t.newInsert(), "k", 1)))
        .containsExactly(
            "ok", "Already present: key already present (error 0)", "{successful_inserts=1}");
    assertThat(apply(op(t.newInsertIgnore(), "k", 1), op(t.newInsertIgnore(), "k", 2)))
        .containsExactly("ok", "ok", "{insert_ignore_errors=1, successful_inserts=1}");
    assertThat(apply(op(t.newUpdate(), "k", 9, "im", 1), op(t.newUpdate(), "k", 9, "v", 1)))
        .containsExactly(immutable, "Not found: key not found (error 0)", "{}");
    assertThat(
            apply(
                op(t.newUpdateIgnore(), "k", 1, "im", 9, "v", 7),
                op(t.newUpdateIgnore(), "k", 9, "v", 7)))
        .containsExactly("ok", "ok", "{successful_updates=1, update_ignore_errors=2}");
    assertThat(apply(op(t.newUpdateIgnore(), "k", 1, "im", 9)).get(0))
        .startsWith("Invalid argument: No fields updated, key is: (int32 k=");
    assertThat(apply(op(t.newUpsert(), "k", 1, "im", 9), op(t.newUpsert(), "k", 3, "im", 3)))
        .containsExactly(immutable, "ok", "{successful_upserts=1}");
    assertThat(apply(op(t.newUpsertIgnore(), "k", 1, "im", 9, "v", 8)))
        .containsExactly("ok", "{successful_upserts=1, upsert_ignore_errors=1}");
    assertThat(
            apply(
                op(t.newDelete(), "k", 2),
                op(t.newDelete(), "k", 2),
                op(t.newDeleteIgnore(), "k", 2)))
        .containsExactly(
            "ok",
            "Not found: key not found (error 0)",
            "ok",
            "{delete_ignore_errors=1, successful_deletes=1}");
    assertThat(scan(t)).containsExactlyInAnyOrder("1 8 1", "3 null 3");
  }

  @Test
  void upsertsBringWhatAnInsertNeeds() throws Exception {
    KuduTable t =
        client.createTable(
            "needs", schema(key("k", Type.INT32), column("w", Type.STRING).build()), oneTablet());
    assertThat(
            apply(
                op(t.newInsert(), "k", 1, "w", "a"),
                op(t.newUpsert(), "k", 1),
                op(t.newUpsert(), "k", 2)))
        .containsExactly(
            "ok",
            "Invalid argument: No value provided for required column: w STRING NOT NULL (error 0)",
            "Invalid argument: No value provided for required column: w STRING NOT NULL (error 0)",
            "{successful_inserts=1}");
    assertThat(apply(op(t.newUpsert(), "k", 3, "w", "x".repeat(65_537))).get(0))
        .contains("value too large for column 'w' (65537 bytes, maximum is 65536 bytes)");
    assertThat(apply(op(t.newUpsert(), "k", 3, "w", "x".repeat(65_536))).get(0)).isEqualTo("ok");
  }

  @Test
  void rowsAreNumberedWhereTheKeyAsksForIt() throws Exception {
    Schema schema =
        schema(
            column("a", Type.INT32).nonUniqueKey(true).build(),
            column("v", Type.STRING).nullable(true).build());
    String number = Schema.getAutoIncrementingColumnName();
    KuduTable t =
        client.createTable("numbered", schema, options().setRangePartitionColumns(List.of("a")));
    apply(op(t.newInsert(), "a", 1, "v", "x"), op(t.newInsert(), "a", 1, "v", "y"));
    assertThat(apply(op(t.newUpsert(), "a", 1, "v", "z")).get(0))
        .contains("auto-incrementing column should be set for UPSERT/UPSERT_IGNORE operations");
    assertThat(apply(op(t.newUpsert(), "a", 1, number, -7L)).get(0))
        .contains("auto-incrementing column value must be greater than zero");
    apply(op(t.newUpsert(), "a", 7, number, 100L), op(t.newInsert(), "a", 3));
    assertThat(scan(t)).containsExactlyInAnyOrder("1 1 x", "1 2 y", "7 100 null", "3 101 null");
  }

  @Test
  void commitWaitAnswersSoonOnATrustedClock() throws Exception {
    KuduTable t = client.createTable("awaited", schema(key("k", Type.INT32)), oneTablet());
    KuduSession session = client.newSession();
    session.setTimeoutMillis(5_000);
    session.setExternalConsistencyMode(ExternalConsistencyMode.COMMIT_WAIT);
    assertThat(session.apply(op(t.newInsert(), "k", 1)).hasRowError()).isFalse();
    session.close();
  }

  // Scans

  @Test
  void predicatesMatchAtTheEdges() throws Exception {
    Schema schema =
        schema(
            key("k", Type.INT32),
            column("i", Type.INT64).nullable(true).build(),
            column("d", Type.DOUBLE).nullable(true).build(),
            column("s", Type.STRING).nullable(true).build());
    KuduTable t = client.createTable("edges", schema, options().addHashPartitions(List.of("k"), 2));
    apply(
        op(t.newInsert(), "k", 0, "i", Long.MIN_VALUE, "d", -0.0, "s", ""),
        op(t.newInsert(), "k", 1, "i", 0L, "d", 0.0, "s", "a\0"),
        op(t.newInsert(), "k", 2, "i", Long.MAX_VALUE, "d", Double.POSITIVE_INFINITY, "s", "ab"),
        op(t.newInsert(), "k", 3));
    for (int round = 0; round < 2; round++) {
      assertThat(matches(t, "i", ComparisonOp.GREATER_EQUAL, Long.MIN_VALUE))
          .containsExactlyInAnyOrder("0", "1", "2");
      assertThat(matches(t, "i", ComparisonOp.GREATER, Long.MAX_VALUE)).isEmpty();
      assertThat(matches(t, "i", ComparisonOp.LESS_EQUAL, 0L)).containsExactlyInAnyOrder("0", "1");
      assertThat(matches(t, "d", ComparisonOp.EQUAL, 0.0)).containsExactlyInAnyOrder("0", "1");
      assertThat(matches(t, "d", ComparisonOp.GREATER, Double.MAX_VALUE)).containsExactly("2");
      assertThat(matches(t, "s", ComparisonOp.EQUAL, "")).containsExactly("0");
      assertThat(matches(t, "s", ComparisonOp.GREATER, "a")).containsExactlyInAnyOrder("1", "2");
      assertThat(keys(t, KuduPredicate.newIsNullPredicate(schema.getColumn("s"))))
          .containsExactly("3");
      assertThat(keys(t, KuduPredicate.newIsNotNullPredicate(schema.getColumn("i")))).hasSize(3);
      assertThat(
              keys(
                  t,
                  KuduPredicate.newInListPredicate(schema.getColumn("s"), List.of("ab", "", "zz"))))
          .containsExactlyInAnyOrder("0", "2");
      assertThat(keys(t, KuduPredicate.newInListPredicate(schema.getColumn("i"), List.of())))
          .isEmpty();
      flush();
    }
  }

  private static List<String> matches(
      KuduTable table, String column, ComparisonOp comparison, Object value) throws KuduException {
    return keys(
        table,
        KuduPredicate.newComparisonPredicate(
            table.getSchema().getColumn(column), comparison, value));
  }

  private static List<String> keys(KuduTable table, KuduPredicate predicate) throws KuduException {
    return scan(
        table, builder -> builder.setProjectedColumnNames(List.of("k")).addPredicate(predicate));
  }

  @Test
  void snapshotsOrderLimitsAndProjections() throws Exception {
    Schema schema = schema(key("k", Type.INT32), column("v", Type.INT32).nullable(true).build());
    KuduTable t = client.createTable("history", schema, oneTablet());
    apply(
        op(t.newInsert(), "k", 3, "v", 3),
        op(t.newInsert(), "k", 1, "v", 1),
        op(t.newInsert(), "k", 2));
    long first = client.getLastPropagatedTimestamp() + 1;
    flush();
    apply(
        op(t.newUpdate(), "k", 1, "v", 10),
        op(t.newDelete(), "k", 3),
        op(t.newInsert(), "k", 4, "v", 4));
    long second = client.getLastPropagatedTimestamp() + 1;
    for (int round = 0; round < 2; round++) {
      assertThat(at(t, first)).containsExactly("1 1", "2 null", "3 3");
      assertThat(at(t, first - 1)).isEmpty();
      assertThat(at(t, second)).containsExactly("1 10", "2 null", "4 4");
      assertThat(scan(t, b -> b.diffScan(first, second)))
          .containsExactly("1 10 false", "3 3 true", "4 4 false");
      assertThat(scan(t, b -> b.readMode(ReadMode.READ_YOUR_WRITES))).hasSize(3);
      assertThat(scan(t, b -> b.setFaultTolerant(true).batchSizeBytes(1)))
          .containsExactly("1 10", "2 null", "4 4");
      assertThat(scan(t, b -> b.setProjectedColumnNames(List.of("v", "k")))).contains("10 1");
      assertThat(scan(t, b -> b.setProjectedColumnNames(List.of()))).hasSize(3);
      assertThat(scan(t, b -> b.limit(2))).hasSize(2);
      assertThat(
              scan(
                  t,
                  b -> b.lowerBound(row(schema, "k", 2)).exclusiveUpperBound(row(schema, "k", 4))))
          .containsExactly("2 null");
      flush();
    }
    refused(
        () -> at(t, 1L << 30),
        "Invalid argument",
        "snapshot scan end timestamp is earlier than the ancient");
    refused(
        () -> scan(t, b -> b.diffScan(1L << 30, second)),
        "Invalid argument",
        "snapshot scan start timestamp is earlier than the ancient history mark");
    long future = first + (3_600_000_000L << 12);
    refused(() -> at(t, future), "Invalid argument", "cannot verify timestamp");
  }

  private static List<String> at(KuduTable table, long timestamp) throws KuduException {
    return scan(
        table,
        builder ->
            builder
                .readMode(ReadMode.READ_AT_SNAPSHOT)
                .snapshotTimestampRaw(timestamp)
                .setFaultTolerant(true));
  }

  @Test
  void wideTablesLargeBatchesAndTokens() throws Exception {
    List<ColumnSchema> columns = new ArrayList<>(List.of(key("k", Type.INT32)));
    for (int i = 1; i < 300; i++) {
      columns.add(
          column("c" + i, i % 2 == 0 ? Type.STRING : Type.INT64).nullable(i % 3 == 0).build());
    }
    KuduTable t =
        client.createTable(
            "wide", new Schema(columns), options().addHashPartitions(List.of("k"), 2));
    KuduSession session = client.newSession();
    session.setFlushMode(SessionConfiguration.FlushMode.MANUAL_FLUSH);
    for (int k = 0; k < 40; k++) {
      Operation insert = op(t.newInsert(), "k", k);
      for (int i = 1; i < 300; i++) {
        if (i % 2 == 0) {
          insert.getRow().addString(i, "x".repeat(i == 2 ? 65_536 : 2_000));
        } else {
          insert.getRow().addLong(i, (long) i * k);
        }
      }
      session.apply(insert);
    }
    assertThat(session.flush()).noneMatch(OperationResponse::hasRowError);
    session.close();
    List<String> keys = scan(t, b -> b.setProjectedColumnNames(List.of("k")));
    assertThat(keys).hasSize(40);
    assertThat(scan(t).stream().map(String::length))
        .hasSize(40)
        .allMatch(length -> length > 65_536 + 148 * 2_000);
    flush();
    List<String> byTokens = new ArrayList<>();
    for (KuduScanToken token :
        client
            .newScanTokenBuilder(t)
            .setProjectedColumnNames(List.of("k"))
            .setSplitSizeBytes(1 << 20)
            .build()) {
      byTokens.addAll(
          rows(
              KuduScanToken.deserializeIntoScanner(token.serialize(), client),
              RowDataFormat.COLUMNAR));
    }
    assertThat(byTokens).containsExactlyInAnyOrderElementsOf(keys);
  }

  @Test
  void scannersCanBeKeptAliveAndClosedEarly() throws Exception {
    KuduTable t = client.createTable("open", schema(key("k", Type.INT32)), oneTablet());
    apply(op(t.newInsert(), "k", 1), op(t.newInsert(), "k", 2));
    KuduScanner scanner = client.newScannerBuilder(t).batchSizeBytes(0).build();
    scanner.nextRows();
    scanner.keepAlive();
    assertThat(scanner.hasMoreRows()).isTrue();
    scanner.close();
    assertThat(scanner.isClosed()).isTrue();
  }
}
