package dev.kudu4j.embedded;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduIndexComparison;
import dev.kudu4j.client.KuduIndexProgress;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Unique indexes of columns by which the table is not partitioned, on three replicas. */
@Timeout(240)
class UniqueGlobalIndexTest {
  private static final int SERVERS = 3;
  private static final int TABLETS = 3;

  private static EmbeddedCluster cluster;
  private static KuduClient client;

  private String name;

  @BeforeAll
  static void start() {
    cluster =
        EmbeddedCluster.builder()
            .tabletServers(SERVERS)
            .masterFlag("--txn_manager_enabled")
            .start();
    client = cluster.client();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void nameTable(TestInfo test) {
    name = test.getTestMethod().orElseThrow().getName();
  }

  private static Schema schema() {
    return new Schema(
        List.of(
            new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
            new ColumnSchemaBuilder("email", Type.STRING).nullable(true).build(),
            new ColumnSchemaBuilder("country", Type.STRING).nullable(true).build()));
  }

  private KuduTable create(KuduIndex... indexes) throws KuduException {
    CreateTableOptions options =
        new CreateTableOptions().addHashPartitions(List.of("id"), TABLETS).setNumReplicas(SERVERS);
    for (KuduIndex index : indexes) {
      options.addIndex(index);
    }
    KuduTable table = client.createTable(name, schema(), options);
    if (indexes.length > 0) {
      awaitState(KuduIndexProgress.State.READY);
    }
    return table;
  }

  private static KuduIndex byEmail() {
    return KuduIndex.uniqueGlobal("by_email", "email");
  }

  private static Operation row(Operation operation, int id, String email) {
    PartialRow row = operation.getRow();
    row.addInt("id", id);
    if (email == null) {
      row.setNull("email");
    } else {
      row.addString("email", email);
    }
    return operation;
  }

  private static Operation delete(KuduTable table, int id) {
    Operation delete = table.newDelete();
    delete.getRow().addInt("id", id);
    return delete;
  }

  /** Writes one row; returns its error, or null. */
  private static RowError write(Operation operation) throws KuduException {
    KuduSession session = client.newSession();
    try {
      OperationResponse response = session.apply(operation);
      return response.hasRowError() ? response.getRowError() : null;
    } finally {
      session.close();
    }
  }

  private static void isTaken(RowError error) {
    assertThat(error).isNotNull();
    assertThat(error.getErrorStatus().isAlreadyPresent()).as(error.toString()).isTrue();
    assertThat(error.getErrorStatus().toString()).contains("unique index");
  }

  private KuduIndexProgress progress() throws KuduException {
    return client.openTable(name).getIndexProgress().get(0);
  }

  private void awaitState(KuduIndexProgress.State state) {
    await("the index is " + state).until(() -> progress().state() == state);
  }

  private static List<RowResult> rows(KuduTable table) throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .readMode(dev.kudu4j.client.AsyncKuduScanner.ReadMode.READ_YOUR_WRITES)
            .build();
    List<RowResult> rows = new ArrayList<>();
    while (scanner.hasMoreRows()) {
      scanner.nextRows().forEach(rows::add);
    }
    return rows;
  }

  private Map<Integer, String> emails(KuduTable table) throws KuduException {
    Map<Integer, String> emails = new TreeMap<>();
    for (RowResult row : rows(table)) {
      emails.put(row.getInt("id"), row.isNull("email") ? null : row.getString("email"));
    }
    return emails;
  }

  /** The values with a claim. */
  private Set<String> claimed() throws KuduException {
    Set<String> values = new HashSet<>();
    for (RowResult row : rows(client.openTable(name + "@by_email"))) {
      values.add(row.getString("email"));
    }
    return values;
  }

  @Test
  void noTwoRowsOfDifferentTabletsHaveEqualValues() throws KuduException {
    KuduTable table = create(byEmail());
    assertThat(client.openTable(name).getIndexes())
        .singleElement()
        .hasToString("UNIQUE GLOBAL (email)")
        .satisfies(index -> assertThat(index.isUniqueGlobal()).isTrue())
        .satisfies(index -> assertThat(index.isUnique()).isTrue());
    assertThat(write(row(table.newInsert(), 1, "a"))).isNull();
    for (int id = 2; id < 10; id++) {
      RowError error = write(row(table.newInsert(), id, "a"));
      isTaken(error);
      assertThat(error.getErrorStatus().toString())
          .contains("unique index by_email: another row has the value (string email=\"a\")");
    }
    assertThat(write(row(table.newInsert(), 10, null))).isNull();
    assertThat(write(row(table.newInsert(), 11, null))).as("NULL is equal to nothing").isNull();
    isTaken(write(row(table.newUpdate(), 10, "a")));
    isTaken(write(row(table.newUpsert(), 10, "a")));
    assertThat(write(row(table.newInsertIgnore(), 12, "a"))).isNull();
    assertThat(write(row(table.newUpsert(), 1, "a"))).as("its own value").isNull();
    assertThat(emails(table)).containsOnlyKeys(1, 10, 11).containsEntry(1, "a");

    assertThat(write(row(table.newUpdate(), 1, "b"))).isNull();
    assertThat(write(row(table.newInsert(), 2, "a"))).as("an update has freed it").isNull();
    assertThat(write(delete(table, 2))).isNull();
    assertThat(write(row(table.newUpdate(), 10, "a"))).as("a delete has freed it").isNull();
    assertThat(write(row(table.newInsert(), 1, "c")).getErrorStatus().toString())
        .contains("key already present");
    assertThat(write(row(table.newInsert(), 3, "c"))).as("nobody has got it").isNull();
    await("claims without a row are released").until(() -> claimed().equals(Set.of("a", "b", "c")));
  }

  @Test
  void rowsOfOneRequestAreCheckedToo() throws KuduException {
    KuduTable table = create(byEmail());
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    for (int id = 0; id < 300; id++) {
      session.apply(row(table.newInsert(), id, "e" + id % 100));
    }
    List<RowError> errors = OperationResponse.collectErrors(session.flush());
    assertThat(errors).hasSize(200).allSatisfy(UniqueGlobalIndexTest::isTaken);
    assertThat(new HashSet<>(emails(table).values())).hasSize(100);
    assertThat(emails(table)).hasSize(100);

    for (int id = 0; id < 300; id++) {
      session.apply(row(table.newUpsert(), id, "f" + id));
    }
    assertThat(OperationResponse.collectErrors(session.flush())).isEmpty();
    for (int id = 0; id < 300; id++) {
      session.apply(row(table.newUpsert(), id, "e" + id));
      session.apply(row(table.newUpsert(), id, "g" + id));
    }
    assertThat(OperationResponse.collectErrors(session.flush())).isEmpty();
    session.close();
    assertThat(emails(table)).hasSize(300).containsEntry(7, "g7");
    await("earlier values are released")
        .until(() -> claimed().equals(new HashSet<>(emails(table).values())));
  }

  @Test
  void updatesOfSomeColumnsAreCheckedWithTheOthers() throws KuduException {
    KuduTable table = create(KuduIndex.uniqueGlobal("by_email", "email", "country"));
    assertThat(write(full(table, 1, "a", "fr"))).isNull();
    assertThat(write(full(table, 2, "a", "de"))).isNull();
    assertThat(write(full(table, 3, "b", "de"))).isNull();
    isTaken(write(row(table.newUpdate(), 3, "a")));
    Operation country = table.newUpdate();
    country.getRow().addInt("id", 2);
    country.getRow().addString("country", "fr");
    isTaken(write(country));
    assertThat(write(row(table.newUpdate(), 1, "c"))).isNull();
    country = table.newUpsert();
    country.getRow().addInt("id", 2);
    country.getRow().addString("country", "fr");
    assertThat(write(country)).isNull();
    isTaken(write(full(table, 4, "a", "fr")));
    assertThat(write(full(table, 4, "a", "de"))).isNull();
    Operation none = table.newUpdate();
    none.getRow().addInt("id", 4);
    none.getRow().setNull("country");
    assertThat(write(none)).isNull();
    assertThat(write(full(table, 5, "a", "de"))).isNull();
  }

  private static Operation full(KuduTable table, int id, String email, String country) {
    Operation insert = row(table.newInsert(), id, email);
    insert.getRow().addString("country", country);
    return insert;
  }

  @Test
  void aTableWithRowsGetsTheIndexUnlessTheyAreEqual() throws KuduException {
    KuduTable table = create();
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(10_000);
    for (int id = 0; id < 5_000; id++) {
      session.apply(row(table.newInsert(), id, id % 10 == 0 ? null : "e" + id));
    }
    session.apply(row(table.newInsert(), 5_000, "e4321"));
    assertThat(OperationResponse.collectErrors(session.flush())).isEmpty();
    session.close();

    client.alterTable(name, new AlterTableOptions().addIndex(byEmail()));
    awaitState(KuduIndexProgress.State.FAILED);
    assertThat(progress().duplicates()).contains("4321", "5000", "have the value");
    assertThat(write(row(table.newInsert(), 5_001, "e4321"))).as("nothing is refused").isNull();
    client.alterTable(name, new AlterTableOptions().dropIndex("by_email"));
    assertThat(write(delete(table, 5_000))).isNull();
    assertThat(write(delete(table, 5_001))).isNull();

    client.alterTable(name, new AlterTableOptions().addIndex(byEmail()));
    awaitState(KuduIndexProgress.State.READY);
    assertThat(progress().tablets()).hasSize(TABLETS);
    isTaken(write(row(table.newInsert(), 5_001, "e4321")));
    assertThat(claimed()).hasSize(4_500);
    assertThat(client.openTable(name).compareIndex("by_email"))
        .satisfies(comparison -> assertThat(comparison.isEqual()).isTrue())
        .satisfies(comparison -> assertThat(comparison.tableRows()).isEqualTo(4_500));

    client.alterTable(
        name, new AlterTableOptions().renameColumn("email", "mail").renameTable(name + "_2"));
    await("the table of claims follows").until(() -> client.tableExists(name + "_2@by_email"));
    name += "_2";
    KuduTable renamed = client.openTable(name);
    Operation taken = renamed.newInsert();
    taken.getRow().addInt("id", 6_000);
    taken.getRow().addString("mail", "e4321");
    isTaken(write(taken));
    client.alterTable(name, new AlterTableOptions().dropIndex("by_email"));
    await("the tablets know").until(() -> write(taken) == null);
    await("it has no claims any more").until(() -> !client.tableExists(name + "@by_email"));
  }

  /** Such a cell keeps its value, and the others change. */
  @Test
  void immutableCellsThatAreSkippedAreNotClaimed() throws Exception {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
                new ColumnSchemaBuilder("email", Type.STRING).immutable(true).build(),
                new ColumnSchemaBuilder("country", Type.STRING).build()));
    KuduTable table =
        client.createTable(
            name,
            schema,
            new CreateTableOptions()
                .addHashPartitions(List.of("id"), TABLETS)
                .addIndex(KuduIndex.uniqueGlobal("by_email", "email", "country")));
    awaitState(KuduIndexProgress.State.READY);
    assertThat(write(full(table, 1, "a", "fr"))).isNull();
    assertThat(write(full(table, 2, "a", "de"))).isNull();
    Operation upsert = row(table.newUpsertIgnore(), 1, "b");
    upsert.getRow().addString("country", "de");
    assertThat(write(upsert)).as("skipped, since it would be a, de").isNull();
    Operation update = row(table.newUpdateIgnore(), 1, "b");
    update.getRow().addString("country", "de");
    assertThat(write(update)).isNull();
    assertThat(rows(table)).extracting(row -> row.getString("country")).contains("fr", "de");
    assertThat(write(full(table, 3, "b", "de"))).as("nobody has it").isNull();
    Operation inserted = row(table.newUpsertIgnore(), 4, "c");
    inserted.getRow().addString("country", "de");
    assertThat(write(inserted)).isNull();
    isTaken(write(full(table, 5, "c", "de")));
  }

  @Test
  void aTableThatIsRecalledIsStillUnique() throws Exception {
    KuduTable table = create(byEmail());
    assertThat(write(row(table.newInsert(), 1, "a"))).isNull();
    client.deleteTable(name, 600);
    String deleted = name;
    name += "_other";
    create(byEmail()); // so the master has looked at all tables of indexes since
    name = deleted;
    client.recallDeletedTable(table.getTableId());
    KuduTable recalled = client.openTable(name);
    isTaken(write(row(recalled.newInsert(), 2, "a")));
    assertThat(write(row(recalled.newInsert(), 2, "b"))).isNull();
  }

  @Test
  void aValueThatIsTooLongIsRefused() throws Exception {
    KuduTable table = create(byEmail());
    RowError error = write(row(table.newInsert(), 1, "x".repeat(20_000)));
    assertThat(error.getErrorStatus().toString()).contains("by_email", "20000 bytes long");
    assertThat(write(row(table.newInsert(), 1, "x".repeat(10_000)))).isNull();

    name += "_built";
    KuduTable built = create();
    assertThat(write(row(built.newInsert(), 1, "x".repeat(20_000)))).isNull();
    client.alterTable(name, new AlterTableOptions().addIndex(byEmail()));
    awaitState(KuduIndexProgress.State.FAILED);
    assertThat(progress().duplicates()).contains("id=1", "too long");
  }

  /** Writes that begin before an index is enforced are found by its build. */
  @Test
  void aSecondIndexIsCreatedWhileRowsAreWritten() throws Exception {
    KuduTable table = create(byEmail());
    int writers = 3;
    List<Callable<Integer>> tasks = new ArrayList<>();
    AtomicBoolean ends = new AtomicBoolean();
    for (int writer = 0; writer < writers; writer++) {
      int first = writer * 1_000_000;
      tasks.add(
          () -> {
            int written = 0;
            while (!ends.get()) {
              int id = first + written++;
              assertThat(write(full(table, id, "e" + id, "c" + id))).isNull();
            }
            return written;
          });
    }
    ExecutorService executor = Executors.newFixedThreadPool(writers);
    try {
      List<Future<Integer>> running = new ArrayList<>();
      tasks.forEach(task -> running.add(executor.submit(task)));
      client.alterTable(
          name, new AlterTableOptions().addIndex(KuduIndex.uniqueGlobal("by_country", "country")));
      await("both indexes are ready")
          .until(
              () ->
                  client.openTable(name).getIndexProgress().stream()
                      .allMatch(index -> index.state() == KuduIndexProgress.State.READY));
      ends.set(true);
      for (Future<Integer> writer : running) {
        writer.get();
      }
    } finally {
      ends.set(true);
      executor.shutdownNow();
    }
    assertThat(client.openTable(name).compareIndex("by_country").differences()).isEmpty();
    assertThat(client.openTable(name).compareIndex("by_email").differences()).isEmpty();
  }

  @Test
  void whatCannotBeUniqueIsRefusedByName() throws KuduException {
    assertThatThrownBy(() -> create(KuduIndex.unique("by_email", "email")))
        .hasMessageContaining("UNIQUE GLOBAL");
    assertThatThrownBy(() -> create(byEmail().including("country")))
        .hasMessageContaining("Index by_email");
    assertThatThrownBy(() -> create(byEmail().hashedBy(4, "email")))
        .hasMessageContaining("expected the end");
    KuduTable table = create(byEmail());
    assertThatThrownBy(() -> client.alterTable(name, new AlterTableOptions().dropColumn("email")))
        .hasMessageContaining("part of the index by_email");
    KuduTable claims = client.openTable(name + "@by_email");
    Operation forged = claims.newInsert();
    PartialRow cells = forged.getRow();
    cells.addString("email", "a");
    assertThat(write(forged).getErrorStatus().toString()).contains("table of an index");
    assertThat(client.getTablesList().getTablesList()).doesNotContain(name + "@by_email");
    KuduTransaction transaction = client.newTransaction();
    KuduSession session = transaction.newKuduSession();
    assertThat(session.apply(row(table.newInsert(), 1, "a")).getRowError().getErrorStatus())
        .hasToString("Not implemented: a transaction cannot write a table with a unique index");
    transaction.rollback();
  }

  /**
   * Rows exchange few values, in batches, by several writers, while servers stop. What each writer
   * was told is true, no two rows have equal values, and each value has its claim.
   */
  @Test
  void racingWritersNeverGetEqualRowsWhileServersStop() throws Exception {
    KuduTable table = create(byEmail());
    int writers = 4;
    int keysEach = 20;
    List<Callable<Map<Integer, String>>> tasks = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      int first = writer * keysEach;
      tasks.add(() -> race(table, first, keysEach, new Random(first)));
    }
    Map<Integer, String> expected = new HashMap<>();
    ExecutorService executor = Executors.newFixedThreadPool(writers);
    try {
      List<Future<Map<Integer, String>>> running = new ArrayList<>();
      tasks.forEach(task -> running.add(executor.submit(task)));
      for (int server = 0; server < SERVERS; server++) {
        cluster.stopTabletServer(server);
        cluster.startTabletServer(server);
      }
      for (Future<Map<Integer, String>> writer : running) {
        expected.putAll(writer.get());
      }
    } finally {
      executor.shutdownNow();
    }
    Map<Integer, String> found = emails(table);
    assertThat(found).isEqualTo(expected);
    List<String> values = found.values().stream().filter(value -> value != null).toList();
    assertThat(values).doesNotHaveDuplicates();
    assertThat(claimed()).containsAll(values);
    KuduIndexComparison comparison = client.openTable(name).compareIndex("by_email");
    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.isEqual()).isTrue();
    assertThat(comparison.tableRows()).isEqualTo(values.size());
  }

  /** Writes rows of its own keys, with values that others want too; returns what they are. */
  private static Map<Integer, String> race(KuduTable table, int first, int keys, Random random)
      throws KuduException {
    Map<Integer, String> mine = new HashMap<>();
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    for (int round = 0; round < 60; round++) {
      Map<Integer, String> batch = new TreeMap<>();
      for (int i = 0; i < 5; i++) {
        int id = first + random.nextInt(keys);
        if (batch.containsKey(id)) {
          continue;
        }
        String value = random.nextInt(8) == 0 ? "" : "v" + random.nextInt(60);
        batch.put(id, value);
        if (value.isEmpty()) {
          if (mine.containsKey(id)) {
            session.apply(delete(table, id));
          } else {
            batch.remove(id);
          }
        } else {
          session.apply(row(table.newUpsert(), id, value));
        }
      }
      Set<Integer> refused = new HashSet<>();
      for (OperationResponse response : session.flush()) {
        if (response.hasRowError()) {
          isTaken(response.getRowError());
          refused.add(response.getRowError().getOperation().getRow().getInt("id"));
        }
      }
      batch.forEach(
          (id, value) -> {
            if (value.isEmpty()) {
              mine.remove(id);
            } else if (!refused.contains(id)) {
              mine.put(id, value);
            }
          });
    }
    session.close();
    return mine;
  }
}
