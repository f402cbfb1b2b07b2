package dev.kudu4j.spark.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.spark.SparkOnKudu;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The changes of a table with {@code CHANGES FROM}, which Spark has since version 4.2. */
class ChangelogTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final String TABLE = "k.changelog.parts";

  private SparkSession spark;

  /** The versions of all changes, in the order of the statements. */
  private List<Long> versions;

  /** The times of all changes, for SQL. */
  private List<String> times;

  @BeforeEach
  void changeTable() {
    KUDU.assumeSparkIsLaterThan41("CHANGES FROM");
    spark = KUDU.spark();
    spark.sql(
        "CREATE TABLE "
            + TABLE
            + " (`part.no` INT NOT NULL, name STRING) PARTITIONED BY (bucket(2, `part.no`))"
            + " TBLPROPERTIES ('primary-key' = '`part.no`', 'num-replicas' = '1')");
    spark.sql("INSERT INTO " + TABLE + " VALUES (1, 'nut')");
    spark.sql("INSERT INTO " + TABLE + " VALUES (2, 'bolt')");
    spark.sql("UPDATE " + TABLE + " SET name = 'nut M4' WHERE `part.no` = 1");
    spark.sql("UPDATE " + TABLE + " SET name = 'nut M5' WHERE `part.no` = 1");
    spark.sql("DELETE FROM " + TABLE + " WHERE `part.no` = 2");
    List<Row> commits =
        spark
            .sql(
                "SELECT DISTINCT _commit_version, string(_commit_timestamp)"
                    + " FROM k.changelog.`parts$changes` ORDER BY 1")
            .collectAsList();
    versions = commits.stream().map(row -> row.getLong(0)).toList();
    times = commits.stream().map(row -> "TIMESTAMP '" + row.getString(1) + "'").toList();
    assertThat(versions).hasSize(5);
  }

  @AfterEach
  void dropTable() {
    if (spark != null) {
      spark.sql("DROP TABLE " + TABLE);
    }
  }

  private Dataset<Row> changes(String clause) {
    return spark.sql("SELECT * FROM " + TABLE + " CHANGES " + clause);
  }

  private static List<String> texts(Dataset<Row> changes) {
    return changes
        .sort("_commit_version", "_change_type")
        .select("_change_type", "`part.no`", "name")
        .collectAsList()
        .stream()
        .map(row -> row.mkString(" "))
        .toList();
  }

  @Test
  void aRangeOfVersionsHasItsBounds() {
    assertThat(texts(changes("FROM VERSION 0")))
        .containsExactly(
            "insert 1 nut",
            "insert 2 bolt",
            "update_postimage 1 nut M4",
            "update_preimage 1 nut",
            "update_postimage 1 nut M5",
            "update_preimage 1 nut M4",
            "delete 2 bolt");
    assertThat(
            texts(
                changes(
                    "FROM VERSION %d TO VERSION %d".formatted(versions.get(1), versions.get(2)))))
        .containsExactly("insert 2 bolt", "update_postimage 1 nut M4", "update_preimage 1 nut");
    assertThat(
            texts(
                changes(
                    "FROM VERSION %d EXCLUSIVE TO VERSION %d EXCLUSIVE"
                        .formatted(versions.get(1), versions.get(3)))))
        .containsExactly("update_postimage 1 nut M4", "update_preimage 1 nut");
    assertThat(texts(changes("FROM VERSION %d".formatted(versions.get(4)))))
        .containsExactly("delete 2 bolt");
    assertThat(texts(changes("FROM VERSION %d".formatted(Long.MAX_VALUE)))).isEmpty();
    assertThatThrownBy(() -> changes("FROM VERSION 'newest'"))
        .hasMessageContaining("has no version newest")
        .hasMessageContaining("_commit_version");
    assertThatThrownBy(() -> spark.sql("SELECT * FROM k.changelog.none CHANGES FROM VERSION 0"))
        .hasMessageContaining("none");
  }

  @Test
  void aRangeOfTimesHasItsBounds() {
    assertThat(
            texts(
                changes("FROM TIMESTAMP %s TO TIMESTAMP %s".formatted(times.get(0), times.get(1)))))
        .containsExactly("insert 1 nut", "insert 2 bolt");
    assertThat(texts(changes("FROM TIMESTAMP %s EXCLUSIVE".formatted(times.get(3)))))
        .containsExactly("delete 2 bolt");
    assertThat(
            texts(
                changes(
                    "FROM TIMESTAMP '1969-07-20' TO TIMESTAMP %s EXCLUSIVE"
                        .formatted(times.get(1)))))
        .containsExactly("insert 1 nut");
    assertThat(texts(changes("FROM TIMESTAMP '9000-01-01'"))).isEmpty();
  }

  @Test
  void sparkComputesNetChanges() {
    assertThat(texts(changes("FROM VERSION 0 WITH ('deduplicationMode' = 'netChanges')")))
        .containsExactly("insert 1 nut M5");
    assertThat(
            texts(
                changes(
                    "FROM VERSION %d WITH ('deduplicationMode' = 'netChanges')"
                        .formatted(versions.get(2)))))
        .containsExactlyInAnyOrder("delete 1 nut", "insert 1 nut M5", "delete 2 bolt");
    assertThat(
            texts(
                changes(
                    ("FROM VERSION %d"
                            + " WITH ('deduplicationMode' = 'netChanges', 'computeUpdates' = 'true')")
                        .formatted(versions.get(2)))))
        .containsExactlyInAnyOrder(
            "update_preimage 1 nut", "update_postimage 1 nut M5", "delete 2 bolt");
  }

  private List<String> stream(String clause, Path checkpoint) throws Exception {
    List<String> found = new ArrayList<>();
    spark
        .sql("SELECT * FROM STREAM " + TABLE + " " + clause)
        .writeStream()
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.AvailableNow())
        .foreachBatch(
            (VoidFunction2<Dataset<Row>, Long>) (batch, number) -> found.addAll(texts(batch)))
        .start()
        .awaitTermination();
    return found;
  }

  @Test
  void aStreamBeginsWithItsRange(@TempDir Path directory) throws Exception {
    String since = "CHANGES FROM VERSION " + versions.get(3);
    assertThat(stream(since, directory.resolve("a")))
        .containsExactly("update_postimage 1 nut M5", "update_preimage 1 nut M4", "delete 2 bolt");
    spark.sql("INSERT INTO " + TABLE + " VALUES (3, 'gear')");
    assertThat(stream(since, directory.resolve("a"))).containsExactly("insert 3 gear");
    assertThat(stream("CHANGES", directory.resolve("b"))).as("from now on").isEmpty();
    assertThatThrownBy(
            () ->
                stream(
                    since + " WITH ('deduplicationMode' = 'netChanges')", directory.resolve("c")))
        .isInstanceOf(StreamingQueryException.class)
        .hasMessageContaining("foreachBatch");
  }
}
