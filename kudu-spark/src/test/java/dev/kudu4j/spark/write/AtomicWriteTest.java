package dev.kudu4j.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.spark.KuduCatalog;
import dev.kudu4j.spark.KuduContext;
import dev.kudu4j.spark.SparkOnKudu;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs with {@code kudu.atomic}: all rows appear at once, or none. */
class AtomicWriteTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final int ROWS = 4_000;
  private static final int TASKS = 4;

  private static final AtomicInteger TASKS_BEGUN = new AtomicInteger();
  private static final AtomicInteger SEEN_BY_LAST_TASK = new AtomicInteger();

  private static volatile TestTable current;

  private TestTable table;

  @BeforeEach
  void create() throws Exception {
    table = TestTable.create(KUDU);
    current = table;
    TASKS_BEGUN.set(0);
    SEEN_BY_LAST_TASK.set(-1);
    SparkSession spark = KUDU.spark();
    spark.conf().set("spark.sql.catalog.atomic", KuduCatalog.class.getName());
    spark.conf().set("spark.sql.catalog.atomic.kudu.master", KUDU.masterAddresses());
    spark.conf().set("spark.sql.catalog.atomic.kudu.atomic", "true");
    spark
        .udf()
        .register(
            "fail_late", (UDF1<Integer, Integer>) AtomicWriteTest::fail, DataTypes.IntegerType);
  }

  /** Fails in every attempt, after most rows of its task. */
  private static int fail(int id) {
    if (id % (ROWS / TASKS) == ROWS / TASKS - 1) {
      throw new IllegalStateException("This task fails");
    }
    return id;
  }

  private Dataset<Row> rows(MapFunction<Long, Integer> id) {
    return KUDU.spark()
        .range(0, ROWS, 1, TASKS)
        .map(id, Encoders.INT())
        .selectExpr("value AS id", "'n' || value AS name", "CAST(value AS BIGINT) AS score");
  }

  private static List<String> expected() {
    return IntStream.range(0, ROWS).mapToObj(i -> i + "|n" + i + "|" + i).sorted().toList();
  }

  /** Runs a statement in the catalog with the option; {@code t} stands for the table. */
  private void sql(String statement) {
    KUDU.spark().sql(statement.replaceAll("\\bt\\b", "atomic." + table.name()));
  }

  /** Looks at the table in the last task: two run at a time, so others have written their rows. */
  private static int lookBeforeLastTask(long id) throws KuduException {
    if (id % (ROWS / TASKS) == 0 && TASKS_BEGUN.incrementAndGet() == TASKS) {
      SEEN_BY_LAST_TASK.set(current.rows().size());
    }
    return (int) id;
  }

  @Test
  void rowsOfAllTasksAppearAtTheEndOfTheJob() throws Exception {
    table.writeAtomically(rows(AtomicWriteTest::lookBeforeLastTask), WriteOperation.UPSERT);

    assertThat(SEEN_BY_LAST_TASK).hasValue(0);
    assertThat(table.rows()).isEqualTo(expected());
  }

  @Test
  void withoutTheOptionRowsAppearBeforeTheEndOfTheJob() throws Exception {
    table.write(rows(AtomicWriteTest::lookBeforeLastTask), WriteOperation.UPSERT);

    assertThat(SEEN_BY_LAST_TASK.get()).isPositive();
  }

  @Test
  void snapshotsHaveAllRowsOrNone() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Set<Integer>> counts =
        CompletableFuture.supplyAsync(
            () -> {
              Set<Integer> seen = new ConcurrentSkipListSet<>();
              while (!ended.get()) {
                seen.add(countInSnapshot());
              }
              return seen;
            });
    table.writeAtomically(rows(Long::intValue), WriteOperation.INSERT);
    ended.set(true);

    assertThat(counts.get(1, TimeUnit.MINUTES)).isSubsetOf(0, ROWS);
    assertThat(countInSnapshot()).isEqualTo(ROWS);
  }

  private int countInSnapshot() {
    try {
      KuduScanner scanner =
          KUDU.client()
              .newScannerBuilder(table.open())
              .readMode(ReadMode.READ_AT_SNAPSHOT)
              .setProjectedColumnNames(List.of())
              .build();
      int count = 0;
      while (scanner.hasMoreRows()) {
        count += scanner.nextRows().getNumRows();
      }
      return count;
    } catch (KuduException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFailedJobLeavesNothing() throws Exception {
    assertThatThrownBy(
            () -> table.writeAtomically(rows(id -> fail(id.intValue())), WriteOperation.UPSERT))
        .hasStackTraceContaining("This task fails");
    assertThat(table.rows()).isEmpty();

    table.write(rows(Long::intValue), WriteOperation.INSERT);
    assertThat(table.rows()).isEqualTo(expected());
  }

  @Test
  void rejectedRowsFailTheJob() throws Exception {
    table.write(table.values("SELECT 1999 AS id, 'old' AS name"), WriteOperation.UPSERT);

    assertThatThrownBy(() -> table.writeAtomically(rows(Long::intValue), WriteOperation.INSERT))
        .hasMessageContaining("1 row was not written")
        .hasMessageContaining("int32 id=1999")
        .hasMessageContaining("Already present");
    assertThat(table.rows()).containsExactly("1999|old|NULL");
  }

  @Test
  void theOptionMayBeTheContexts() throws Exception {
    table.write(table.values("SELECT 1999 AS id, 'old' AS name"), WriteOperation.UPSERT);
    KuduContext context = new KuduContext(KUDU.masterAddresses(), Map.of("kudu.atomic", "true"));

    assertThatThrownBy(() -> context.insertRows(rows(Long::intValue), table.name()))
        .hasMessageContaining("Already present");
    assertThat(table.rows()).containsExactly("1999|old|NULL");
  }

  @Test
  void theSameKeyTwiceFailsAnInsert() throws Exception {
    assertThatThrownBy(
            () -> table.writeAtomically(rows(id -> (int) (id / 2)), WriteOperation.INSERT))
        .hasStackTraceContaining("other rows of the same job have their keys")
        .hasStackTraceContaining("Already present");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  void theSameKeyTwiceIsDeletedOnce() throws Exception {
    table.write(rows(Long::intValue), WriteOperation.INSERT);

    table.writeAtomically(rows(id -> (int) (id / 2)), WriteOperation.DELETE);

    assertThat(table.rows()).hasSize(ROWS / 2);
  }

  @Test
  void aMissingKeyFailsADelete() throws Exception {
    table.write(table.values("SELECT 1 AS id"), WriteOperation.UPSERT);

    assertThatThrownBy(
            () ->
                table.writeAtomically(
                    table.values("SELECT id FROM VALUES (1), (2) v(id)"), WriteOperation.DELETE))
        .hasMessageContaining("int32 id=2")
        .hasMessageContaining("Not found");
    assertThat(table.rows()).containsExactly("1|NULL|NULL");
  }

  @Test
  void aFailedOverwriteKeepsTheOldRows() throws Exception {
    table.write(table.values("SELECT -1 AS id, 'old' AS name"), WriteOperation.UPSERT);

    assertThatThrownBy(() -> overwrite(rows(id -> fail(id.intValue()))))
        .hasStackTraceContaining("This task fails");
    assertThat(table.rows()).containsExactly("-1|old|NULL");

    overwrite(rows(Long::intValue));
    assertThat(table.rows()).isEqualTo(expected());
  }

  private void overwrite(Dataset<Row> rows) {
    table.writer(rows).option("kudu.atomic", "true").mode(SaveMode.Overwrite).save();
  }

  @Test
  void theOptionMayBeTheCatalogs() throws Exception {
    table.write(rows(Long::intValue), WriteOperation.INSERT);
    List<String> before = table.rows();

    for (String statement :
        List.of(
            "UPDATE t SET score = fail_late(id) + 1",
            "UPDATE t SET id = fail_late(id) + 7",
            "DELETE FROM t WHERE fail_late(id) >= 0",
            "INSERT INTO t SELECT fail_late(id), 'new', 0 FROM t",
            "MERGE INTO t USING (SELECT id + 2000 AS id FROM t) s ON t.id = s.id"
                + " WHEN MATCHED THEN UPDATE SET score = fail_late(t.id) + 1"
                + " WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, 'new')")) {
      assertThatThrownBy(() -> sql(statement))
          .as(statement)
          .hasStackTraceContaining("This task fails");
      assertThat(table.rows()).as(statement).isEqualTo(before);
    }
    sql("UPDATE t SET id = id + 7");
    assertThat(table.rows())
        .isEqualTo(
            IntStream.range(0, ROWS).mapToObj(i -> (i + 7) + "|n" + i + "|" + i).sorted().toList());
    sql("TRUNCATE TABLE t");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  void aKeyOfAnOlderTransactionFailsTheJob() throws Exception {
    try (KuduTransaction older = KUDU.client().newTransaction()) {
      KuduSession session = older.newKuduSession();
      Insert insert = table.open().newInsert();
      insert.getRow().addInt("id", 1999);
      session.apply(insert);
      session.close();

      assertThatThrownBy(() -> table.writeAtomically(rows(Long::intValue), WriteOperation.UPSERT))
          .hasMessageContaining("holds the key");
      older.commit();
    }
    assertThat(table.rows()).containsExactly("1999|NULL|NULL");
  }

  @Test
  void aTransactionThatTheServersAbortedFailsTheJob() throws Exception {
    WriteTarget target = table.target();
    JobTransaction transaction = JobTransaction.begin(target);
    KuduTransaction.deserialize(transaction.token(), KUDU.client().asyncClient()).rollback();

    assertThatThrownBy(() -> transaction.commit(new WriterCommitMessage[0]))
        .hasMessageContaining("was aborted, nothing is written");
    transaction.rollback();
  }

  @Test
  void mastersWithoutTransactionsAreNamed() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      SparkSession spark = KUDU.spark();
      spark.conf().set("spark.sql.catalog.plain", KuduCatalog.class.getName());
      spark.conf().set("spark.sql.catalog.plain.kudu.master", cluster.masterAddresses());
      spark.sql("CREATE TABLE plain.db.t (id BIGINT, PRIMARY KEY (id))");
      String insert = "INSERT INTO plain.db.t WITH (`kudu.atomic` = 'true') VALUES (1)";

      assertThatThrownBy(() -> spark.sql(insert))
          .hasStackTraceContaining("kudu.atomic")
          .hasStackTraceContaining("--txn_manager_enabled");
      assertThat(spark.sql("SELECT * FROM plain.db.t").collectAsList()).isEmpty();
    }
  }
}
