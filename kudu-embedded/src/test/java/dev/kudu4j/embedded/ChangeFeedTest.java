package dev.kudu4j.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduBatch;
import dev.kudu4j.client.KuduChange;
import dev.kudu4j.client.KuduChangeFeed;
import dev.kudu4j.client.KuduChangePosition;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduProducer;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The changes of tables, read by clients. */
@Timeout(240)
class ChangeFeedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static EmbeddedCluster cluster;
  private static KuduClient client;

  @BeforeAll
  static void start() {
    cluster =
        EmbeddedCluster.builder()
            .tabletServers(3)
            .masterFlag("--txn_manager_enabled")
            .tabletServerFlag("--flush_threshold_secs=1")
            .start();
    client = cluster.client();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Schema schema() {
    return new Schema(
        List.of(
            new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
            new ColumnSchemaBuilder("name", Type.STRING).nullable(true).build(),
            new ColumnSchemaBuilder("value", Type.INT64).build()));
  }

  private static KuduTable create(String name, int replicas) throws KuduException {
    return client.createTable(
        name,
        schema(),
        new CreateTableOptions().setNumReplicas(replicas).addHashPartitions(List.of("id"), 3));
  }

  private static Operation fill(Operation operation, int id, String name, long value) {
    PartialRow row = operation.getRow();
    row.addInt("id", id);
    if (name == null) {
      row.setNull("name");
    } else {
      row.addString("name", name);
    }
    row.addLong("value", value);
    return operation;
  }

  private static Operation delete(KuduTable table, int id) {
    Operation delete = table.newDelete();
    delete.getRow().addInt("id", id);
    return delete;
  }

  private static void write(Operation... operations) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC);
    for (Operation operation : operations) {
      assertThat(session.apply(operation).hasRowError()).isFalse();
    }
    session.close();
  }

  private static String text(RowResult row) {
    return row.getInt("id")
        + " "
        + (row.isNull("name") ? "-" : row.getString("name"))
        + " "
        + row.getLong("value");
  }

  private static String text(KuduChange change) {
    return change.type()
        + " "
        + change.before().map(ChangeFeedTest::text).orElse("")
        + " -> "
        + change.after().map(ChangeFeedTest::text).orElse("");
  }

  /** Reads until there are so many changes. */
  private static List<KuduChange> read(KuduChangeFeed feed, int count) throws KuduException {
    List<KuduChange> changes = new ArrayList<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (changes.size() < count && System.nanoTime() < deadline) {
      changes.addAll(feed.poll(Duration.ofSeconds(1)));
    }
    return changes;
  }

  private static List<String> texts(List<KuduChange> changes) {
    return changes.stream().map(ChangeFeedTest::text).toList();
  }

  @Test
  void changesComeInOrderWithTheRowsAroundThem() throws Exception {
    KuduTable table = create("inOrder", 1);
    write(fill(table.newInsert(), 0, "before", 0));
    KuduChangeFeed feed = table.changes().build();
    assertThat(feed.poll(Duration.ZERO)).isEmpty();
    write(
        fill(table.newInsert(), 1, "Ada", 36),
        fill(table.newInsert(), 2, null, 40),
        fill(table.newUpdate(), 1, "Ada L.", 36),
        fill(table.newUpdate(), 1, "Ada L.", 36), // changes nothing
        delete(table, 0),
        fill(table.newUpsert(), 2, "Grace", 40),
        delete(table, 1),
        fill(table.newUpsert(), 1, "Alan", 41));
    List<KuduChange> changes = read(feed, 7);
    assertThat(texts(changes))
        .containsExactly(
            "INSERT  -> 1 Ada 36",
            "INSERT  -> 2 - 40",
            "UPDATE 1 Ada 36 -> 1 Ada L. 36",
            "DELETE 0 before 0 -> ",
            "UPDATE 2 - 40 -> 2 Grace 40",
            "DELETE 1 Ada L. 36 -> ",
            "INSERT  -> 1 Alan 41");
    assertThat(changes).extracting(KuduChange::timestamp).isSorted().doesNotHaveDuplicates();
    assertThat(feed.isOver()).isFalse();

    KuduChangeFeed values =
        table.changes().fromBeginning().columns(List.of("value")).until(last(changes) + 1).build();
    List<KuduChange> ofValues = new ArrayList<>();
    while (!values.isOver()) {
      ofValues.addAll(values.poll(PATIENCE));
    }
    assertThat(values.getSchema().getColumnCount()).isEqualTo(2);
    assertThat(ofValues)
        .extracting(KuduChange::type)
        .containsExactly(
            KuduChange.Type.INSERT,
            KuduChange.Type.INSERT,
            KuduChange.Type.INSERT,
            KuduChange.Type.DELETE,
            KuduChange.Type.DELETE,
            KuduChange.Type.INSERT);
  }

  private static long last(List<KuduChange> changes) {
    return changes.get(changes.size() - 1).timestamp();
  }

  @Test
  void aBatchArrivesTogether() throws Exception {
    KuduTable table = create("batches", 1);
    KuduChangeFeed feed = table.changes().fromBeginning().build();
    try (KuduProducer producer = client.newProducer()) {
      for (int batch = 0; batch < 3; batch++) {
        KuduBatch rows = producer.newBatch();
        for (int id = 0; id < 6; id++) {
          rows.add(fill(table.newUpsert(), id, "batch", batch));
        }
        rows.commit();
      }
    }
    List<KuduChange> changes = read(feed, 18);
    assertThat(changes).hasSize(18);
    for (int batch = 0; batch < 3; batch++) {
      List<KuduChange> together = changes.subList(6 * batch, 6 * batch + 6);
      assertThat(together).extracting(KuduChange::timestamp).containsOnly(last(together));
      assertThat(together)
          .extracting(change -> change.row().getLong("value"))
          .containsOnly(batch + 0L);
    }
  }

  @Test
  void anOpenTransactionHoldsNothingBackAndArrivesWhole() throws Exception {
    KuduTable table = create("transactions", 3);
    KuduChangeFeed feed = table.changes().fromBeginning().build();
    KuduTransaction transaction = client.newTransaction();
    KuduSession session = transaction.newKuduSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC);
    for (int id = 0; id < 20; id++) {
      session.apply(fill(table.newUpsert(), id, "in the transaction", id));
    }
    write(fill(table.newInsert(), 100, "alone", 0));
    assertThat(texts(read(feed, 1))).containsExactly("INSERT  -> 100 alone 0");
    session.close();
    transaction.commit();
    write(fill(table.newInsert(), 101, "alone", 0));
    List<KuduChange> changes = read(feed, 21);
    assertThat(changes).hasSize(21);
    assertThat(changes.subList(0, 20))
        .extracting(KuduChange::timestamp)
        .containsOnly(changes.get(0).timestamp());
    assertThat(changes.get(20).row().getInt("id")).isEqualTo(101);
  }

  /** Checks that changes continue what is known, and applies them. */
  private static void apply(List<KuduChange> changes, Map<Integer, String> rows) {
    for (KuduChange change : changes) {
      int id = change.row().getInt("id");
      assertThat(change.before().map(ChangeFeedTest::text).orElse(null))
          .as("before %s", change)
          .isEqualTo(rows.get(id));
      if (change.after().isPresent()) {
        rows.put(id, text(change.after().get()));
      } else {
        rows.remove(id);
      }
    }
  }

  @Test
  void aReaderThatStartsAgainFromItsPositionMissesNothing() throws Exception {
    KuduTable table = create("positions", 3);
    Random random = new Random(7);
    KuduChangePosition position = table.changes().fromBeginning().build().position();
    Map<Integer, String> followed = new TreeMap<>();
    Map<Integer, Boolean> live = new HashMap<>();
    for (int round = 0; round < 40; round++) {
      KuduSession session = client.newSession();
      session.setFlushMode(FlushMode.MANUAL_FLUSH);
      session.setMutationBufferSpace(1000);
      for (int i = random.nextInt(300); i >= 0; i--) {
        int id = random.nextInt(100);
        if (live.getOrDefault(id, false) && random.nextInt(4) == 0) {
          session.apply(delete(table, id));
          live.put(id, false);
        } else {
          session.apply(fill(table.newUpsert(), id, "round " + round, random.nextInt(5)));
          live.put(id, true);
        }
      }
      session.flush().forEach(answer -> assertThat(answer.hasRowError()).isFalse());
      session.close();
      KuduChangeFeed feed =
          table
              .changes()
              .from(KuduChangePosition.parse(position.serialize()))
              .batchSizeBytes(1 + random.nextInt(5000))
              .replicaSelection(
                  random.nextBoolean()
                      ? ReplicaSelection.LEADER_ONLY
                      : ReplicaSelection.CLOSEST_REPLICA)
              .build();
      for (int polls = random.nextInt(4); polls >= 0; polls--) {
        apply(feed.poll(Duration.ofMillis(20)), followed);
      }
      position = feed.position();
    }
    KuduChangeFeed rest =
        table.changes().from(position).until(client.getLastPropagatedTimestamp() + 1).build();
    while (!rest.isOver()) {
      apply(rest.poll(PATIENCE), followed);
    }
    Map<Integer, String> scanned = new TreeMap<>();
    for (RowResult row : client.newScannerBuilder(table).build()) {
      scanned.put(row.getInt("id"), text(row));
    }
    assertThat(followed).isEqualTo(scanned);
  }

  @Test
  void aFollowerOfAScanHasTheWholeTable() throws Exception {
    KuduTable table = create("afterScan", 1);
    for (int id = 0; id < 20; id++) {
      write(fill(table.newInsert(), id, "old", id));
    }
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .readMode(dev.kudu4j.client.AsyncKuduScanner.ReadMode.READ_AT_SNAPSHOT)
            .build();
    Map<Integer, String> rows = new TreeMap<>();
    for (RowResult row : scanner) {
      rows.put(row.getInt("id"), text(row));
    }
    long snapshot = scanner.getSnapshotTimestamp();
    write(delete(table, 3), fill(table.newInsert(), 50, "new", 1));
    apply(read(table.changes().fromSnapshot(snapshot).build(), 2), rows);
    assertThat(rows).doesNotContainKey(3).containsEntry(50, "50 new 1").hasSize(20);
  }

  @Test
  void rangesAndColumnsComeAndGo() throws Exception {
    CreateTableOptions options =
        new CreateTableOptions().setNumReplicas(1).setRangePartitionColumns(List.of("id"));
    options.addRangePartition(bound(0), bound(10));
    KuduTable table = client.createTable("ranges", schema(), options);
    KuduChangeFeed feed = table.changes().build();
    write(fill(table.newInsert(), 1, "first", 0));
    assertThat(read(feed, 1)).hasSize(1);

    client.alterTable("ranges", new AlterTableOptions().addRangePartition(bound(10), bound(20)));
    write(fill(table.newInsert(), 11, "second", 0), fill(table.newInsert(), 2, "first", 0));
    Set<Integer> found = new HashSet<>();
    read(feed, 2).forEach(change -> found.add(change.row().getInt("id")));
    assertThat(found).containsExactlyInAnyOrder(2, 11);

    client.alterTable("ranges", new AlterTableOptions().dropRangePartition(bound(0), bound(10)));
    write(fill(table.newInsert(), 12, "second", 0));
    assertThat(texts(read(feed, 1))).containsExactly("INSERT  -> 12 second 0");

    client.alterTable("ranges", new AlterTableOptions().dropColumn("name"));
    assertThatThrownBy(() -> read(feed, 1))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("name");
    KuduTable altered = client.openTable("ranges");
    KuduChangeFeed next = altered.changes().from(feed.position()).build();
    write(delete(altered, 12));
    List<KuduChange> last = read(next, 1);
    assertThat(last).extracting(KuduChange::type).containsExactly(KuduChange.Type.DELETE);
    assertThat(next.getSchema().getColumnCount()).isEqualTo(2);
  }

  private static PartialRow bound(int id) {
    PartialRow row = schema().newPartialRow();
    row.addInt("id", id);
    return row;
  }

  @Test
  void wrongPositionsAreRefused() throws Exception {
    KuduTable one = create("one", 1);
    KuduTable other = create("other", 1);
    KuduChangePosition position = one.changes().build().position();
    assertThat(KuduChangePosition.parse(position.serialize())).isEqualTo(position);
    assertThatThrownBy(() -> other.changes().from(position))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(one.getTableId())
        .hasMessageContaining("other");
    for (String text : List.of("", "nonsense", "!", "AAAA")) {
      assertThatThrownBy(() -> KuduChangePosition.parse(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Not a position");
    }
    assertThatThrownBy(() -> one.changes().columns(List.of("nobody")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nobody");
  }
}
