package dev.kudu4j.embedded;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.AsyncKuduScanner.RowDataFormat;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduCondition;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduIndexComparison;
import dev.kudu4j.client.KuduIndexHint;
import dev.kudu4j.client.KuduIndexProgress;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Indexes that are tables of their own: at each snapshot, they have the rows of their table. */
@Timeout(180)
class GlobalIndexTest {
  private static EmbeddedCluster cluster;
  private static KuduClient client;

  private final Random random = new Random(1);

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.builder().tabletServers(3).start();
    client = cluster.client();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Schema schema() {
    return new Schema(
        List.of(
            new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
            new ColumnSchemaBuilder("customer", Type.STRING).nullable(true).build(),
            new ColumnSchemaBuilder("price", Type.INT32).nullable(true).build(),
            new ColumnSchemaBuilder("comment", Type.STRING).nullable(true).build()));
  }

  private static KuduTable create(String name) throws KuduException {
    return client.createTable(
        name, schema(), new CreateTableOptions().addHashPartitions(List.of("id"), 3));
  }

  private static void addIndex(String table, KuduIndex index) throws KuduException {
    client.alterTable(table, new AlterTableOptions().addIndex(index));
  }

  private static void awaitIndex(String table) {
    await("the indexes of " + table + " are ready")
        .until(
            () ->
                client.openTable(table).getIndexProgress().stream()
                    .allMatch(progress -> progress.state() == KuduIndexProgress.State.READY));
  }

  /** Changes random rows. */
  private void change(KuduTable table, int count) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    for (int i = 0; i < count; i++) {
      Operation change = random.nextInt(4) == 0 ? table.newDeleteIgnore() : table.newUpsert();
      PartialRow row = change.getRow();
      row.addLong("id", random.nextInt(500));
      if (!(change.getClass().getSimpleName().startsWith("Delete"))) {
        set(row, "customer", random.nextInt(5) == 0 ? null : "customer " + random.nextInt(9));
        if (random.nextBoolean()) {
          row.addInt("price", random.nextInt(100));
        }
        if (random.nextBoolean()) {
          set(row, "comment", random.nextBoolean() ? null : "c" + random.nextInt());
        }
      }
      session.apply(change);
      if (i % 50 == 49) {
        flush(session);
      }
    }
    flush(session);
    session.close();
  }

  private static void flush(KuduSession session) throws KuduException {
    for (OperationResponse response : session.flush()) {
      assertThat(response.hasRowError()).as("%s", response.getRowError()).isFalse();
    }
  }

  private static void set(PartialRow row, String column, String value) {
    if (value == null) {
      row.setNull(column);
    } else {
      row.addString(column, value);
    }
  }

  /** The rows at a snapshot, as text; without those that have NULL in a column. */
  private static TreeSet<String> rows(
      String table, List<String> columns, String notNull, long snapshot) throws KuduException {
    TreeSet<String> rows = new TreeSet<>();
    KuduScanner scanner =
        client
            .newScannerBuilder(client.openTable(table))
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .snapshotTimestampRaw(snapshot)
            .setProjectedColumnNames(columns)
            .build();
    for (RowResult row : scanner) {
      if (!row.isNull(notNull)) {
        rows.add(row.rowToString());
      }
    }
    return rows;
  }

  private static void verify(String table, String index, List<String> columns, long snapshot)
      throws KuduException {
    TreeSet<String> base = rows(table, columns, "customer", snapshot);
    assertThat(base).isNotEmpty();
    assertThat(rows(table + "@" + index, columns, "customer", snapshot)).isEqualTo(base);
  }

  @Test
  void anIndexIsBuiltAndFollowsItsTable() throws Exception {
    KuduTable table = create("orders");
    change(table, 400);
    addIndex("orders", KuduIndex.global("by_customer", "customer").including("price"));
    addIndex("orders", KuduIndex.clustering("all", "customer", "id").hashedBy(2, "customer"));
    change(table, 200);
    awaitIndex("orders");
    long[] snapshots = new long[5];
    for (int i = 0; i < snapshots.length; i++) {
      snapshots[i] = client.getLastPropagatedTimestamp() + 1;
      verify("orders", "by_customer", List.of("id", "customer", "price"), snapshots[i]);
      verify("orders", "all", List.of("id", "customer", "price", "comment"), snapshots[i]);
      change(table, 200);
    }
    for (long snapshot : snapshots) {
      verify("orders", "by_customer", List.of("id", "customer", "price"), snapshot);
      verify("orders", "all", List.of("id", "customer", "price", "comment"), snapshot);
    }
    assertThat(client.openTable("orders").getIndexes())
        .extracting(Object::toString)
        .containsExactly(
            "CLUSTERING (customer, id) HASH (customer) BUCKETS 2",
            "GLOBAL (customer) INCLUDE (price)");
    assertThat(client.getTablesList().getTablesList())
        .contains("orders")
        .doesNotContain("orders@all");
  }

  @Test
  void scansReadAnIndexThatHasAllTheirColumns() throws Exception {
    KuduTable table = create("read");
    addIndex("read", KuduIndex.global("by_customer", "customer").including("price"));
    change(table, 500);
    awaitIndex("read");
    table = client.openTable("read");
    int found = 0;
    for (int i = 0; i < 9; i++) {
      Map<Long, String> without = readCustomer(table, i, KuduIndexHint.forbid(), null);
      assertThat(readCustomer(table, i, KuduIndexHint.optimizer(), "by_customer"))
          .isEqualTo(without);
      assertThat(readCustomer(table, i, KuduIndexHint.forbid("by_customer"), null))
          .isEqualTo(without);
      assertThat(count(table, i, KuduIndexHint.optimizer()))
          .isEqualTo(count(table, i, KuduIndexHint.forbid()))
          .isEqualTo(without.size());
      found += without.size();
      change(table, 20); // a scan reads what was written before
    }
    assertThat(found).isPositive();
  }

  /** Each part of an OR by an index of its own; also while rows move from one part to another. */
  @Test
  void severalIndexesHaveTheRowsOfAnOr() throws Exception {
    KuduTable table = create("either");
    addIndex("either", KuduIndex.clustering("by_customer", "customer"));
    addIndex("either", KuduIndex.clustering("by_price", "price").hashedBy(2, "price"));
    change(table, 600);
    awaitIndex("either");
    KuduTable indexed = client.openTable("either");
    for (int i = 0; i < 30; i++) {
      change(table, 10);
      KuduCondition or = someOf(indexed);
      assertThat(readWhere(indexed, or, KuduIndexHint.optimizer(), "by_customer, by_price"))
          .as("%s", or)
          .isEqualTo(readWhere(indexed, or, KuduIndexHint.forbid(), null));
    }
    KuduCondition comment =
        KuduCondition.or(
            condition(equal(indexed, "customer", "customer 1")),
            condition(equal(indexed, "comment", "none")));
    assertThat(readWhere(indexed, comment, KuduIndexHint.optimizer(), null)).isNotEmpty();

    AtomicBoolean ends = new AtomicBoolean(true);
    move(table, ends);
    ends.set(false);
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Future<?> moving = writer.submit(() -> move(table, ends));
      for (int i = 0; i < 100; i++) { // the row is always in one of both parts
        KuduCondition either =
            KuduCondition.or(
                condition(equal(indexed, "customer", "mover")),
                condition(equal(indexed, "price", 1_000)));
        assertThat(readWhere(indexed, either, KuduIndexHint.optimizer(), "by_customer, by_price"))
            .hasSize(1);
      }
      ends.set(true);
      moving.get();
    } finally {
      ends.set(true);
      writer.shutdownNow();
    }
  }

  private static Void move(KuduTable table, AtomicBoolean ends) throws KuduException {
    KuduSession session = client.newSession();
    int i = 0;
    do {
      Operation upsert = table.newUpsert();
      upsert.getRow().addLong("id", 10_000);
      set(upsert.getRow(), "customer", i % 2 == 0 ? "mover" : "rests");
      upsert.getRow().addInt("price", i % 2 == 0 ? 999 : 1_000);
      assertThat(session.apply(upsert).hasRowError()).isFalse();
      i++;
    } while (!ends.get());
    session.close();
    return null;
  }

  private KuduCondition someOf(KuduTable table) {
    int low = random.nextInt(100);
    KuduCondition customer = condition(equal(table, "customer", "customer " + random.nextInt(9)));
    KuduCondition price =
        KuduCondition.and(
            condition(
                KuduPredicate.newComparisonPredicate(
                    table.getSchema().getColumn("price"), ComparisonOp.GREATER_EQUAL, low)),
            condition(
                KuduPredicate.newComparisonPredicate(
                    table.getSchema().getColumn("price"), ComparisonOp.LESS, low + 20)));
    return random.nextBoolean()
        ? KuduCondition.or(customer, price)
        : KuduCondition.or(price, customer);
  }

  private static KuduCondition condition(KuduPredicate predicate) {
    return predicate.asCondition();
  }

  private static KuduPredicate equal(KuduTable table, String column, Object value) {
    return KuduPredicate.newComparisonPredicate(
        table.getSchema().getColumn(column), ComparisonOp.EQUAL, value);
  }

  /** The rows, each once, as text. */
  private static TreeSet<String> readWhere(
      KuduTable table, KuduCondition condition, KuduIndexHint hint, String index)
      throws KuduException {
    KuduScanner scanner =
        client.newScannerBuilder(table).addCondition(condition).indexHint(hint).build();
    TreeSet<String> rows = new TreeSet<>();
    for (RowResult row : scanner) {
      assertThat(rows.add(row.rowToString())).as("%s", row.rowToString()).isTrue();
    }
    assertThat(scanner.getIndex()).isEqualTo(Optional.ofNullable(index));
    return rows;
  }

  @Test
  void rowsAreLookedUpByTheKeysThatAnIndexHasFound() throws Exception {
    KuduTable table = create("looked_up");
    addIndex("looked_up", KuduIndex.global("by_customer", "customer"));
    change(table, 500);
    awaitIndex("looked_up");
    table = client.openTable("looked_up");
    for (int i = 0; i < 9; i++) {
      Map<Long, String> without = readAll(table, i, KuduIndexHint.forbid(), null);
      assertThat(readAll(table, i, KuduIndexHint.optimizer(), "by_customer")).isEqualTo(without);
      change(table, 20);
    }
  }

  private static Map<Long, String> readAll(
      KuduTable table, int customer, KuduIndexHint hint, String index) throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .addPredicate(isCustomer(table, customer))
            .addPredicate(
                KuduPredicate.newComparisonPredicate(
                    table.getSchema().getColumn("price"), ComparisonOp.LESS, 70))
            .indexHint(hint)
            .build();
    Map<Long, String> rows = new TreeMap<>();
    for (RowResult row : scanner) {
      assertThat(rows.put(row.getLong("id"), row.rowToString())).isNull();
    }
    assertThat(scanner.getIndex()).isEqualTo(Optional.ofNullable(index));
    return rows;
  }

  private static Map<Long, String> readCustomer(
      KuduTable table, int customer, KuduIndexHint hint, String index) throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .addPredicate(isCustomer(table, customer))
            .setProjectedColumnNames(List.of("price", "id", "customer"))
            .indexHint(hint)
            .build();
    assertThat(scanner.getIndex()).isEqualTo(Optional.ofNullable(index));
    Map<Long, String> rows = new TreeMap<>();
    for (RowResult row : scanner) {
      rows.put(row.getLong("id"), row.rowToString());
    }
    assertThat(scanner.getIndex()).isEqualTo(Optional.ofNullable(index));
    return rows;
  }

  @Test
  void anIndexIsComparedWithItsTable() throws Exception {
    KuduTable table = create("compared");
    change(table, 500);
    addIndex("compared", KuduIndex.global("by_customer", "customer").including("price"));
    addIndex("compared", KuduIndex.clustering("all", "price", "customer"));
    addIndex("compared", KuduIndex.local("local", "comment"));
    awaitIndex("compared");
    long first = 0;
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              while (!enough.get()) {
                assertThatCode(() -> change(table, 50)).doesNotThrowAnyException();
              }
            });
    for (int i = 0; i < 5; i++) {
      for (String index : List.of("by_customer", "all")) {
        KuduIndexComparison comparison = table.compareIndex(index);
        assertThat(comparison.isEqual()).as("%s", comparison).isTrue();
        assertThat(comparison.tableRows()).isPositive().isEqualTo(comparison.indexRows());
        first = first == 0 ? comparison.snapshotTimestamp() : first;
      }
    }
    enough.set(true);
    writer.get();
    assertThat(table.compareIndex("all", first).isEqual()).isTrue();
    assertThat(table.compareIndex("all", first).snapshotTimestamp()).isEqualTo(first);
    assertThatThrownBy(() -> table.compareIndex("none"))
        .hasMessageContaining("Table compared has no index none");
    assertThatThrownBy(() -> table.compareIndex("local")).hasMessageContaining("is local");
    assertThatThrownBy(() -> table.compareIndex("all", 1L << 12)).hasMessageContaining("snapshot");
  }

  @Test
  void anIndexThatIsNotReadyIsNotCompared() throws Exception {
    KuduTable table = create("unready");
    addIndex("unready", KuduIndex.global("i", "customer"));
    awaitIndex("unready");
    KuduSession session = client.newSession();
    Operation insert = table.newInsert();
    insert.getRow().addLong("id", 1);
    insert.getRow().addString("customer", "c".repeat(20_000));
    assertThat(session.apply(insert).hasRowError()).isFalse();
    await("the index has failed")
        .until(() -> table.getIndexProgress().get(0).state() == KuduIndexProgress.State.FAILED);
    assertThatThrownBy(() -> table.compareIndex("i"))
        .hasMessageContaining("Index i of table unready is FAILED (")
        .hasMessageContaining("only an index that is READY can be compared");
  }

  private static KuduPredicate isCustomer(KuduTable table, int customer) {
    return KuduPredicate.newComparisonPredicate(
        table.getSchema().getColumn("customer"), ComparisonOp.EQUAL, "customer " + customer);
  }

  private static long count(KuduTable table, int customer, KuduIndexHint hint)
      throws KuduException {
    KuduAggregate aggregate =
        table
            .aggregate()
            .count("rows")
            .addPredicate(isCustomer(table, customer))
            .indexHint(hint)
            .build();
    long rows = aggregate.execute().next().getLong("rows");
    assertThat(aggregate.getIndex().isPresent()).isEqualTo(hint == KuduIndexHint.optimizer());
    return rows;
  }

  @Test
  void scanTokensReadAnIndexThatHasAllTheirColumns() throws Exception {
    KuduTable table = create("tokens");
    addIndex("tokens", KuduIndex.global("by_customer", "customer").including("price").hashedBy(2));
    change(table, 500);
    awaitIndex("tokens");
    table = client.openTable("tokens");
    int found = 0;
    for (int i = 0; i < 9; i++) {
      Map<Long, String> expected = readCustomer(table, i, KuduIndexHint.forbid(), null);
      List<KuduScanToken> tokens = customerTokens(table, i).build();
      assertThat(tokens).hasSize(2).allMatch(token -> token.getIndex().isPresent());
      List<KuduScanToken> bare =
          customerTokens(table, i)
              .readMode(ReadMode.READ_YOUR_WRITES)
              .includeTableMetadata(false)
              .includeTabletMetadata(false)
              .setSplitSizeBytes(1)
              .build();
      List<KuduScanToken> ofTable = customerTokens(table, i).globalIndexes(false).build();
      assertThat(ofTable).hasSize(3).allMatch(token -> token.getIndex().isEmpty());
      assertThat(readTokens(ofTable)).isEqualTo(expected);
      change(table, 20); // the tokens read what was there before
      assertThat(readTokens(tokens)).isEqualTo(expected);
      assertThat(readTokens(bare)).isEqualTo(expected);
      found += expected.size();

      long count = count(table, i, KuduIndexHint.forbid());
      List<KuduScanToken> counts =
          table
              .aggregate()
              .count("rows")
              .addPredicate(isCustomer(table, i))
              .buildTokens(i % 2 == 0);
      change(table, 20);
      assertThat(counts).hasSize(2).allMatch(token -> token.getIndex().isPresent());
      long counted = 0;
      for (KuduScanToken token : counts) {
        counted +=
            KuduScanToken.deserializeIntoAggregate(token.serialize(), client)
                .execute()
                .next()
                .getLong("rows");
      }
      assertThat(counted).isEqualTo(count);
    }
    assertThat(found).isPositive();
  }

  private static KuduScanToken.KuduScanTokenBuilder customerTokens(KuduTable table, int customer) {
    return client
        .newScanTokenBuilder(table)
        .addPredicate(isCustomer(table, customer))
        .setProjectedColumnNames(List.of("price", "id", "customer"));
  }

  private static Map<Long, String> readTokens(List<KuduScanToken> tokens) throws Exception {
    Map<Long, String> rows = new TreeMap<>();
    for (KuduScanToken token : tokens) {
      KuduScanner scanner = KuduScanToken.deserializeIntoScanner(token.serialize(), client);
      assertThat(scanner.getIndex()).isEqualTo(token.getIndex());
      if (rows.isEmpty()) {
        scanner.setRowDataFormat(RowDataFormat.ROWWISE);
      }
      for (RowResult row : scanner) {
        assertThat(rows.put(row.getLong("id"), row.rowToString())).isNull();
      }
    }
    return rows;
  }

  @Test
  void tokensOfAnIndexThatIsGoneFail() throws Exception {
    KuduTable table = create("gone");
    addIndex("gone", KuduIndex.global("i", "customer").including("price"));
    change(table, 200);
    awaitIndex("gone");
    table = client.openTable("gone");
    List<KuduScanToken> tokens = customerTokens(table, 1).build();
    assertThat(tokens).isNotEmpty().allMatch(token -> token.getIndex().isPresent());
    byte[] token = tokens.get(0).serialize();
    assertThat(KuduScanToken.stringifySerializedToken(token, client)).contains("index=i}");
    KuduScanner.KuduScannerBuilder builder =
        KuduScanToken.deserializeIntoScannerBuilder(token, client);
    assertThatThrownBy(() -> builder.lowerBound(bound(1)))
        .hasMessageContaining("reads the index i, which has another primary key");
    assertThatThrownBy(() -> builder.inKeyOrder(true).build())
        .hasMessageContaining("reads the index i, which has another order");

    client.alterTable("gone", new AlterTableOptions().dropIndex("i"));
    await("the index is dropped").until(() -> !client.tableExists("gone@i"));
    for (KuduScanToken old : tokens) {
      assertThatThrownBy(() -> readTokens(List.of(old)))
          .hasMessageContaining("the table was deleted: gone@i");
    }
    assertThat(customerTokens(table, 1).build()) // the opened table does not know yet
        .isNotEmpty()
        .allMatch(newer -> newer.getIndex().isEmpty());
  }

  @Test
  void anIndexFollowsAlterationsOfItsTable() throws Exception {
    KuduTable table =
        client.createTable(
            "ranges",
            schema(),
            new CreateTableOptions()
                .setRangePartitionColumns(List.of("id"))
                .addRangePartition(bound(0), bound(200))
                .addRangePartition(bound(200), bound(500)));
    addIndex("ranges", KuduIndex.global("i", "customer").including("price").hashedBy(1));
    change(table, 300);
    awaitIndex("ranges");
    String first = client.openTable("ranges@i").getTableId();

    client.alterTable(
        "ranges",
        new AlterTableOptions()
            .renameColumn("price", "cost")
            .addRangePartition(bound(500), bound(600)));
    table = client.openTable("ranges");
    insert(table, 555);
    List<String> columns = List.of("id", "customer", "cost");
    verify("ranges", "i", columns, client.getLastPropagatedTimestamp() + 1);
    assertThat(client.openTable("ranges@i").getTableId()).isEqualTo(first);

    client.alterTable(
        "ranges", new AlterTableOptions().dropRangePartition(bound(table, 0), bound(table, 200)));
    await("the index is built again")
        .until(() -> client.tableExists("ranges@i") && isAnotherThan(first, "ranges@i"));
    awaitIndex("ranges");
    insert(table, 556);
    verify("ranges", "i", columns, client.getLastPropagatedTimestamp() + 1);

    client.alterTable("ranges", new AlterTableOptions().renameTable("renamed"));
    await("the index is renamed").until(() -> client.tableExists("renamed@i"));
    verify("renamed", "i", columns, client.getLastPropagatedTimestamp() + 1);

    assertThatThrownBy(
            () -> client.alterTable("renamed", new AlterTableOptions().dropColumn("cost")))
        .hasMessageContaining("part of the index i");
    client.alterTable("renamed", new AlterTableOptions().dropIndex("i"));
    await("the index is dropped").until(() -> !client.tableExists("renamed@i"));
    addIndex("renamed", KuduIndex.clustering("j", "customer"));
    await("the index exists").until(() -> client.tableExists("renamed@j"));
    client.deleteTable("renamed");
    await("the index is dropped with its table").until(() -> !client.tableExists("renamed@j"));
  }

  private static void insert(KuduTable table, long id) throws KuduException {
    Operation insert = table.newInsert();
    insert.getRow().addLong("id", id);
    insert.getRow().addString("customer", "customer of " + id);
    assertThat(client.newSession().apply(insert).hasRowError()).isFalse();
  }

  private static boolean isAnotherThan(String tableId, String table) throws KuduException {
    return !client.openTable(table).getTableId().equals(tableId);
  }

  private static PartialRow bound(long id) {
    return bound(schema(), id);
  }

  private static PartialRow bound(KuduTable table, long id) {
    return bound(table.getSchema(), id);
  }

  private static PartialRow bound(Schema schema, long id) {
    PartialRow row = schema.newPartialRow();
    row.addLong("id", id);
    return row;
  }

  @Test
  void aRowThatCannotBeInTheIndexFailsIt() throws Exception {
    KuduTable table = create("long");
    addIndex("long", KuduIndex.global("i", "comment", "customer"));
    awaitIndex("long");
    KuduSession session = client.newSession();
    Operation insert = table.newInsert();
    insert.getRow().addLong("id", 1);
    insert.getRow().addString("comment", "c".repeat(12_000));
    insert.getRow().addString("customer", "c".repeat(12_000));
    assertThat(session.apply(insert).hasRowError()).isFalse();
    await("the index has failed")
        .until(() -> table.getIndexProgress().get(0).state() == KuduIndexProgress.State.FAILED);
    assertThat(table.getIndexProgress().get(0).toString()).contains("longer together than a key");
  }

  @Test
  void anIndexTableIsNotWritten() throws Exception {
    change(create("protected"), 20);
    addIndex("protected", KuduIndex.global("i", "customer"));
    awaitIndex("protected");
    KuduTable index = client.openTable("protected@i");
    KuduSession session = client.newSession();
    Operation insert = index.newInsert();
    insert.getRow().addLong("id", 1);
    insert.getRow().addString("customer", "me");
    assertThat(session.apply(insert).getRowError().getErrorStatus().isNotAuthorized()).isTrue();
    assertThatThrownBy(() -> client.deleteTable("protected@i"))
        .hasMessageContaining("is an index: change or drop the index i");
  }
}
