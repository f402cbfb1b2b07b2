package dev.kudu4j.spark.changes;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.spark.KuduCatalog;
import dev.kudu4j.spark.SparkOnKudu;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsAdmissionControl;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Queries and streams of the changes of a table. */
class ChangesTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private SparkSession spark;

  @BeforeEach
  void session() {
    spark = KUDU.spark();
  }

  private static List<String> texts(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(row -> row.mkString(" ")).toList();
  }

  @Test
  void aQueryReadsTheChangesOfATime() {
    spark.sql(
        "CREATE TABLE k.changes.people (id INT NOT NULL, name STRING, marks ARRAY<INT>)"
            + " PARTITIONED BY (bucket(3, id))"
            + " TBLPROPERTIES ('primary-key' = 'id', 'num-replicas' = '1')");
    spark.sql("INSERT INTO k.changes.people VALUES (1, 'Ada', array(1, null))");
    spark.sql("INSERT INTO k.changes.people VALUES (2, 'Alan', null)"); // another tablet's time
    spark.sql("UPDATE k.changes.people SET name = 'Ada L.' WHERE id = 1");
    spark.sql("DELETE FROM k.changes.people WHERE id = 2");

    String changes = "k.changes.`people$changes`";
    assertThat(
            texts(
                spark.sql(
                    "SELECT _change_type, id, name, size(marks), marks[0] FROM "
                        + changes
                        + " ORDER BY _commit_version, id, _change_type DESC")))
        .containsExactly(
            "insert 1 Ada 2 1",
            "insert 2 Alan null null",
            "update_preimage 1 Ada 2 1",
            "update_postimage 1 Ada L. 2 1",
            "delete 2 Alan null null");

    Row update =
        spark
            .sql(
                "SELECT _commit_version, _commit_timestamp FROM "
                    + changes
                    + " WHERE _change_type = 'update_postimage'")
            .first();
    long version = update.getLong(0);
    assertThat(
            texts(
                spark.sql(
                    "SELECT _change_type, id FROM "
                        + changes
                        + " WHERE _commit_version >= "
                        + version
                        + " ORDER BY _commit_version, _change_type DESC")))
        .containsExactly("update_preimage 1", "update_postimage 1", "delete 2");
    assertThat(
            texts(
                spark.sql(
                    "SELECT DISTINCT _change_type FROM "
                        + changes
                        + " WHERE _commit_timestamp < TIMESTAMP '"
                        + update.getTimestamp(1)
                        + "'")))
        .containsExactly("insert");
    assertThat(
            texts(spark.sql("SELECT id FROM " + changes + " WHERE _commit_version = " + version)))
        .containsExactly("1", "1");
    assertThat(spark.read().option("kudu.changesFrom", "now").table(changes).count()).isZero();
    assertThatThrownBy(() -> spark.read().option("kudu.changesFrom", "soon").table(changes).count())
        .hasMessageContaining("kudu.changesFrom")
        .hasMessageContaining("beginning, now");
    assertThatThrownBy(() -> spark.sql("SELECT * FROM k.changes.`nobody$changes`"))
        .hasMessageContaining("nobody");
    spark.sql("DROP TABLE k.changes.people");
  }

  @Test
  void aStreamWithoutChangesRestsAndOneWithOtherColumnsFails(@TempDir Path directory)
      throws Exception {
    spark.sql(
        "CREATE TABLE k.changes.idle (id INT NOT NULL, a STRING, b STRING)"
            + " TBLPROPERTIES ('primary-key' = 'id', 'num-replicas' = '1')");
    List<String> found = new ArrayList<>();
    StreamingQuery query =
        spark
            .readStream()
            .table("k.changes.`idle$changes`")
            .writeStream()
            .option("checkpointLocation", directory.toString())
            .foreachBatch(
                (VoidFunction2<Dataset<Row>, Long>)
                    (batch, id) -> found.addAll(texts(batch.select("id", "a", "b"))))
            .start();
    query.processAllAvailable(); // returns only if there is no batch without changes
    spark.sql("INSERT INTO k.changes.idle VALUES (1, 'x', 'y')");
    query.processAllAvailable();
    assertThat(found).containsExactly("1 x y");
    spark.sql("ALTER TABLE k.changes.idle DROP COLUMN a");
    spark.sql("ALTER TABLE k.changes.idle ADD COLUMN c STRING");
    spark.sql("INSERT INTO k.changes.idle VALUES (2, 'p', 'q')");
    assertThatThrownBy(query::processAllAvailable).hasStackTraceContaining("start the query again");
    assertThat(found).hasSize(1);
    query.stop();
    spark.sql("DROP TABLE k.changes.idle");
  }

  /** Reads what a stream has, as a query that is started again each time. */
  private void read(Path checkpoint, String maxChanges, List<Row> into) throws Exception {
    List<Row> found = new ArrayList<>();
    StreamingQuery query =
        spark
            .readStream()
            .option("kudu.changesFrom", "beginning")
            .option("kudu.maxChangesPerTrigger", maxChanges)
            .table("k.changes.`followed$changes`")
            .writeStream()
            .option("checkpointLocation", checkpoint.toString())
            .trigger(Trigger.AvailableNow())
            .foreachBatch(
                (VoidFunction2<Dataset<Row>, Long>)
                    (batch, id) ->
                        found.addAll(
                            batch
                                .sort(col("_commit_version"), col("id"), col("_change_type").desc())
                                .collectAsList()))
            .start();
    query.awaitTermination();
    into.addAll(found);
  }

  @Test
  void aStreamThatIsStartedAgainHasEachChangeOnce(@TempDir Path directory) throws Exception {
    spark.sql(
        "CREATE TABLE k.changes.followed (id INT NOT NULL, v BIGINT)"
            + " PARTITIONED BY (bucket(3, id))"
            + " TBLPROPERTIES ('primary-key' = 'id', 'num-replicas' = '1')");
    Random random = new Random(3);
    Map<Integer, Long> table = new HashMap<>();
    List<Row> changes = new ArrayList<>();
    for (int round = 0; round < 4; round++) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        int id = random.nextInt(80);
        long value = 1000L * round + i;
        table.put(id, value);
        values.add("(" + id + ", " + value + ")");
      }
      for (String value : values) { // a key may be there twice
        spark.sql("INSERT INTO k.changes.followed VALUES " + value);
      }
      read(directory.resolve("checkpoint"), round % 2 == 0 ? "25" : "100000", changes);
    }
    Map<Integer, Long> followed = new TreeMap<>();
    for (Row change : changes) {
      int id = change.getAs("id");
      long value = change.getAs("v");
      switch ((String) change.getAs("_change_type")) {
        case "insert" -> assertThat(followed.put(id, value)).as("%s", change).isNull();
        case "update_preimage" -> assertThat(followed.get(id)).as("%s", change).isEqualTo(value);
        case "update_postimage" -> followed.put(id, value);
        default -> throw new AssertionError(change);
      }
    }
    assertThat(followed).isEqualTo(table);
    spark.sql("DROP TABLE k.changes.followed");
  }

  /** A stream of changes from now on, as Spark creates one at each start of a query. */
  private static MicroBatchStream streamFromNow(String table, Path checkpoint)
      throws NoSuchTableException {
    KuduCatalog catalog = new KuduCatalog();
    catalog.initialize(
        "started",
        new CaseInsensitiveStringMap(
            Map.of("kudu.master", KUDU.masterAddresses(), "kudu.changesFrom", "now")));
    Identifier name = Identifier.of(new String[] {"changes"}, table + "$changes");
    return ((ChangesTable) catalog.loadTable(name))
        .newScanBuilder(CaseInsensitiveStringMap.empty())
        .build()
        .toMicroBatchStream(checkpoint.toString());
  }

  /** Spark calls for the first offset when it plans the first batch and when it runs it. */
  @Test
  void aStreamFromNowOnAlwaysBeginsAtTheSameTime(@TempDir Path directory) throws Exception {
    spark.sql(
        "CREATE TABLE k.changes.begun (id INT NOT NULL)"
            + " TBLPROPERTIES ('primary-key' = 'id', 'num-replicas' = '1')");
    MicroBatchStream planned = streamFromNow("begun", directory.resolve("sources/0"));
    Offset first = planned.initialOffset();
    spark.sql("INSERT INTO k.changes.begun VALUES (1)");
    assertThat(planned.initialOffset()).isEqualTo(first);

    MicroBatchStream restarted = streamFromNow("begun", directory.resolve("sources/0"));
    assertThat(restarted.initialOffset()).isEqualTo(first);
    Offset last =
        ((SupportsAdmissionControl) restarted).latestOffset(first, ReadLimit.allAvailable());
    assertThat(restarted.planInputPartitions(first, last)).hasSize(1);
    assertThat(streamFromNow("begun", directory.resolve("sources/1")).initialOffset())
        .isNotEqualTo(first);
    spark.sql("DROP TABLE k.changes.begun");
  }
}
