package dev.kudu4j.spark.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.spark.SparkOnKudu;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** CALL k.system.name(...). */
class ProceduresTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  @BeforeAll
  static void load() {
    sql(
        "CREATE TABLE k.called.readings (host INT, at INT, v INT, PRIMARY KEY (host, at))"
            + " PARTITIONED BY (bucket(2, host)) TBLPROPERTIES ('range-columns' = 'at',"
            + " 'range-partitions' = 'VALUES < 100')");
    sql("INSERT INTO k.called.readings SELECT 1, CAST(id AS INT), 0 FROM range(90)");
  }

  private static Dataset<Row> sql(String text) {
    return KUDU.spark().sql(text);
  }

  private static List<String> rows(String text) {
    return rows(sql(text));
  }

  @Test
  void rangesAreAddedAndDropped() {
    sql(
        "CREATE TABLE k.called.ranges (id INT, PRIMARY KEY (id))"
            + " TBLPROPERTIES ('range-columns' = 'id', 'range-partitions' = 'VALUES < 10')");
    assertThat(
            rows(
                "CALL k.system.add_range_partition('called.ranges', '10 <= VALUES < 20; VALUE = 30')"))
        .containsExactly("[VALUES < 10]", "[10 <= VALUES < 20]", "[VALUE = 30]");
    sql("INSERT INTO k.called.ranges VALUES (1), (11), (30)");
    assertThat(
            rows(
                "CALL k.system.drop_range_partition(range => 'VALUES < 10',"
                    + " table => 'called.ranges')"))
        .containsExactly("[10 <= VALUES < 20]", "[VALUE = 30]");
    assertThat(rows("SELECT id FROM k.called.ranges ORDER BY id")).containsExactly("[11]", "[30]");
    assertThatThrownBy(
            () -> sql("CALL k.system.add_range_partition('called.ranges', '15 <= VALUES < 40')"))
        .hasMessageContaining("called.ranges");
    assertThatThrownBy(() -> sql("CALL k.system.add_range_partition('called.ranges', 'x <> 4')"))
        .hasMessageContaining("Write them like VALUES < 10");
    assertThatThrownBy(() -> sql("CALL k.system.add_range_partition('called.ranges', ' ')"))
        .hasMessageContaining("needs a value of parameter range");
    assertThatThrownBy(() -> sql("CALL k.system.add_range_partition('called.ranges')"))
        .hasMessageContaining("range");
  }

  @Test
  void partitionsAreListed() throws Exception {
    int replicas = KUDU.client().openTable("called.readings").getNumReplicas();
    List<Row> tablets = sql("CALL k.system.partitions('called.readings')").collectAsList();
    assertThat(tablets).hasSize(2);
    for (int i = 0; i < 2; i++) {
      Row tablet = tablets.get(i);
      assertThat(tablet.getList(1)).hasToString("[" + i + "]");
      assertThat(tablet.getString(2)).isEqualTo("VALUES < 100");
      assertThat(tablet.getList(4)).hasSize(replicas).contains(tablet.getString(3));
    }
    assertThat(
            tabletIds(tablets)
                .containsAll(
                    tabletIds(
                        sql("SELECT DISTINCT _tablet FROM k.called.readings").collectAsList())))
        .isTrue();
  }

  private static Set<String> tabletIds(List<Row> rows) {
    Set<String> tabletIds = new TreeSet<>();
    rows.forEach(row -> tabletIds.add(row.getString(0)));
    return tabletIds;
  }

  @Test
  void statisticsCountEachTablet() {
    List<Row> counts = sql("CALL k.system.statistics('called.readings')").collectAsList();
    assertThat(counts).hasSize(3);
    assertThat(List.of(counts.get(0).getLong(1), counts.get(1).getLong(1)))
        .containsExactlyInAnyOrder(0L, 90L);
    Row whole = counts.get(2);
    assertThat(whole.isNullAt(0)).isTrue();
    assertThat(whole.getLong(1)).isEqualTo(90);
    assertThat(whole.getLong(2)).isEqualTo(counts.get(0).getLong(2) + counts.get(1).getLong(2));
    assertThat(whole.isNullAt(3)).isFalse();
  }

  @Test
  void namesAreChecked() {
    assertThat(rows("SHOW PROCEDURES IN k.system").toString())
        .contains("add_range_partition", "drop_range_partition", "partitions", "statistics")
        .contains("analyze", "column_statistics", "compact", "rebalance");
    assertThatThrownBy(() -> sql("CALL k.system.compress('t')"))
        .hasStackTraceContaining("k.system.compress does not exist; there are")
        .hasStackTraceContaining("k.system.analyze");
    assertThatThrownBy(() -> sql("CALL k.system.partitions('called.none')"))
        .hasMessageContaining("Table called.none does not exist in catalog k");
    assertThatThrownBy(() -> sql("CALL k.system.partitions(tables => 'called.ranges')"))
        .hasMessageContaining("tables");
  }

  // ---------------------------------------------------------------- statistics of columns

  @Test
  void theOptimizerUsesAnalyzedColumns() {
    sql(
        "CREATE TABLE k.called.facts (id INT, kind INT, price DECIMAL(9, 2), day DATE,"
            + " at TIMESTAMP, x DOUBLE, name STRING, PRIMARY KEY (id))"
            + " PARTITIONED BY (bucket(2, id))");
    sql(
        "INSERT INTO k.called.facts SELECT CAST(id AS INT), CAST(id % 5 AS INT), id / 4,"
            + " date_add(DATE'2020-01-01', CAST(id % 100 AS INT)), timestamp_seconds(id),"
            + " IF(id = 7, DOUBLE('NaN'), id / 2), IF(id % 10 = 0, NULL, repeat('n', 30))"
            + " FROM range(1000)");
    assertThat(rows("CALL k.system.analyze('called.facts', columns => array('KIND', 'name'))"))
        .containsExactly(
            "[kind,1000,0,5,0,4]",
            "[name,1000,100,1," + "n".repeat(30) + "," + "n".repeat(30) + "]");
    List<Row> all = sql("CALL k.system.analyze('called.facts')").collectAsList();
    assertThat(all).hasSize(7);
    assertThat(all.get(2).getString(5)).isEqualTo("249.75");
    assertThat(all.get(3).getString(4)).isEqualTo("2020-01-01");
    assertThat(all.get(5).getString(5)).isEqualTo("NaN");
    assertThatThrownBy(() -> sql("CALL k.system.analyze('called.facts', array('none'))"))
        .hasMessageContaining("no column none to analyze");

    KUDU.spark().conf().set("spark.sql.cbo.enabled", "true");
    try {
      await("the master knows all rows")
          .atMost(Duration.ofSeconds(60))
          .until(() -> estimate("SELECT * FROM k.called.facts") == 1000);
      String large = " FROM k.called.facts WITH (`kudu.runtimeFilters` = 'false') ";
      assertThat(estimate("SELECT id" + large + "WHERE kind = 3")).isEqualTo(200);
      assertThat(estimate("SELECT id" + large + "WHERE kind IN (1, 2) AND name IS NULL"))
          .isEqualTo(40);
      assertThat(estimate("SELECT id" + large + "WHERE day < DATE'2020-01-26'"))
          .isBetween(240L, 270L);
      assertThat(estimate("SELECT id" + large + "WHERE price > 200")).isBetween(190L, 210L);
      assertThat(estimate("SELECT id" + large + "WHERE x > 200")).as("NaN").isEqualTo(1000);
      assertThat(estimate("SELECT kind, count(DISTINCT x)" + large + "GROUP BY kind"))
          .as("Spark's own estimate of the groups")
          .isEqualTo(5);
      assertThat(estimate("SELECT a.id FROM k.called.facts a JOIN k.called.facts b USING (kind)"))
          .as("1000 * 1000 / 5")
          .isEqualTo(200_000);
    } finally {
      KUDU.spark().conf().unset("spark.sql.cbo.enabled");
    }
  }

  @Test
  void otherSessionsUseTheStatistics() {
    sql(
        "CREATE TABLE k.called.kept (id INT, kind INT, price DECIMAL(9, 2), day DATE,"
            + " at TIMESTAMP, name STRING, PRIMARY KEY (id))");
    sql(
        "INSERT INTO k.called.kept SELECT CAST(id AS INT), CAST(id % 5 AS INT), id / 4,"
            + " date_add(DATE'2020-01-01', CAST(id % 100 AS INT)), timestamp_seconds(id),"
            + " IF(id % 10 = 0, NULL, repeat('n', 30)) FROM range(1000)");
    sql("CALL k.system.analyze('called.kept')");
    SparkSession other = KUDU.spark().newSession();
    other.conf().set("spark.sql.session.timeZone", "UTC");
    other.conf().set("spark.sql.cbo.enabled", "true");
    assertThat(
            rows(other.sql("CALL k.system.column_statistics('called.kept')").drop("analyzed_at")))
        .hasSize(6)
        .contains(
            "[kind,1000,0,5,0,4,null,null]",
            "[name,1000,100,1,null,null,30,30]",
            "[price,1000,0," + distinct(other, "price") + ",0.00,249.75,null,null]",
            "[day,1000,0," + distinct(other, "day") + ",2020-01-01,2020-04-09,null,null]");
    assertThat(
            other.sql("CALL k.system.column_statistics('called.kept')").collectAsList().stream()
                .map(row -> row.getTimestamp(1).toInstant()))
        .allMatch(at -> at.isAfter(Instant.now().minusSeconds(600)) && at.isBefore(Instant.now()));

    await("the master knows all rows")
        .atMost(Duration.ofSeconds(60))
        .until(() -> estimate(other, "SELECT * FROM k.called.kept") == 1000);
    assertThat(
            estimate(
                other,
                "SELECT id FROM k.called.kept"
                    + " WITH (`kudu.runtimeFilters` = 'false') WHERE kind = 3"))
        .isEqualTo(200);
    sql("ALTER TABLE k.called.kept RENAME COLUMN kind TO sort");
    assertThat(
            estimate(
                other,
                "SELECT id FROM k.called.kept"
                    + " WITH (`kudu.runtimeFilters` = 'false') WHERE sort = 3"))
        .isEqualTo(200);
    sql("ALTER TABLE k.called.kept DROP COLUMN sort");
    sql("ALTER TABLE k.called.kept ADD COLUMN sort INT");
    assertThat(
            estimate(
                other,
                "SELECT id FROM k.called.kept"
                    + " WITH (`kudu.runtimeFilters` = 'false') WHERE sort = 3"))
        .as("nothing is known of the new column")
        .isEqualTo(1000);
    assertThat(rows(other.sql("CALL k.system.column_statistics('called.kept')"))).hasSize(5);
  }

  private static long distinct(SparkSession session, String column) {
    return session
        .sql("CALL k.system.column_statistics('called.kept')")
        .where("column = '" + column + "'")
        .head()
        .getLong(4);
  }

  @Test
  void statisticsOfAGrownTableAreAdapted() {
    SparkSession session = KUDU.spark().newSession();
    session.conf().set("spark.sql.cbo.enabled", "true");
    sql("CREATE TABLE k.called.growing (id INT, kind INT, PRIMARY KEY (id))");
    sql("INSERT INTO k.called.growing SELECT CAST(id AS INT), id % 5 FROM range(100)");
    sql("CALL k.system.analyze('called.growing')");
    sql("INSERT INTO k.called.growing SELECT CAST(id AS INT), id % 5 FROM range(100, 500)");
    await("the master knows all rows")
        .atMost(Duration.ofSeconds(60))
        .until(() -> estimate(session, "SELECT * FROM k.called.growing") == 500);
    assertThat(
            estimate(
                session,
                "SELECT id FROM k.called.growing"
                    + " WITH (`kudu.runtimeFilters` = 'false') WHERE kind = 3"))
        .isEqualTo(100);
    assertThat(
            estimate(
                session,
                "SELECT kind FROM k.called.growing"
                    + " WITH (`kudu.runtimeFilters` = 'false') WHERE id < 10"))
        .as("the greatest id is no longer known")
        .isEqualTo(500);
    sql("INSERT INTO k.called.growing SELECT CAST(id AS INT), id % 5 FROM range(500, 2000)");
    await("the master knows all rows")
        .atMost(Duration.ofSeconds(60))
        .until(() -> estimate(session, "SELECT * FROM k.called.growing") == 2000);
    assertThat(
            estimate(
                session,
                "SELECT id FROM k.called.growing"
                    + " WITH (`kudu.runtimeFilters` = 'false') WHERE kind = 3"))
        .as("20 times as many rows: the statistics are not used")
        .isEqualTo(2000);
  }

  // ---------------------------------------------------------------- compaction

  @Test
  void aTableIsCompacted() throws Exception {
    sql(
        "CREATE TABLE k.called.scattered (id INT, v INT, PRIMARY KEY (id))"
            + " PARTITIONED BY (bucket(2, id))");
    sql("INSERT INTO k.called.scattered SELECT CAST(id AS INT), 0 FROM range(1000)");
    sql("UPDATE k.called.scattered SET v = 1 WHERE id % 3 = 0");
    int replicas = KUDU.client().openTable("called.scattered").getNumReplicas();
    List<Row> compacted = sql("CALL k.system.compact('called.scattered')").collectAsList();
    assertThat(compacted).hasSize(2 * replicas);
    for (Row replica : compacted) {
      assertThat(replica.isNullAt(9)).as(replica.toString()).isTrue();
      assertThat(replica.getLong(3)).as("rowsets of %s", replica).isEqualTo(1);
      assertThat(replica.getLong(5)).as("history of %s", replica).isLessThanOrEqualTo(1);
      assertThat(replica.getLong(7)).as("bytes of %s", replica).isPositive();
    }
    assertThat(rows("SELECT count(*), sum(v) FROM k.called.scattered"))
        .containsExactly("[1000,334]");
    String tablet = compacted.get(0).getString(0);
    assertThat(
            sql("CALL k.system.compact('called.scattered', array('" + tablet + "'))")
                .collectAsList())
        .hasSize(replicas)
        .allMatch(row -> row.getString(0).equals(tablet) && row.isNullAt(9));
    assertThatThrownBy(() -> sql("CALL k.system.compact('called.scattered', array('xyz'))"))
        .hasMessageContaining("has no tablets [xyz]");
  }

  private static List<String> rows(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).toList();
  }

  private static long estimate(SparkSession session, String query) {
    LogicalPlan plan = session.sql(query).queryExecution().optimizedPlan();
    return plan.stats().rowCount().get().toLong();
  }

  private static long estimate(String query) {
    return estimate(KUDU.spark(), query);
  }
}
