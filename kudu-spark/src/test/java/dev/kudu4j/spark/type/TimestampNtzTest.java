package dev.kudu4j.spark.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.spark.KuduCatalog;
import dev.kudu4j.spark.SparkOnKudu;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * TIMESTAMP_NTZ in a session whose time zone is far from UTC and changes its clocks: a date-time is
 * never shifted. {@code ReadTest} and the other tests of all types compare what servers compute.
 */
class TimestampNtzTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final String ZONE = "spark.sql.session.timeZone";

  /** A time that does not exist in Los Angeles, because the clocks are put forward. */
  private static final String SKIPPED = "2024-03-10 02:30:00";

  @BeforeAll
  static void leaveUtc() {
    KUDU.spark().conf().set(ZONE, "America/Los_Angeles");
    sql(
        "CREATE TABLE k.ntz.t (id INT, at TIMESTAMP_NTZ DEFAULT TIMESTAMP_NTZ'2020-01-02"
            + " 03:04:05.678901', zoned TIMESTAMP, PRIMARY KEY (id)) PARTITIONED BY (bucket(3, id))");
    sql(
        "INSERT INTO k.ntz.t SELECT CAST(id AS INT), TIMESTAMP_NTZ'2024-03-10 00:00:00' + id *"
            + " INTERVAL '30' MINUTE, TIMESTAMP'2024-03-10 00:00:00' FROM range(10)");
  }

  @AfterAll
  static void returnToUtc() {
    KUDU.spark().conf().set(ZONE, "UTC");
  }

  private static Dataset<Row> sql(String text) {
    return KUDU.spark().sql(text);
  }

  private static List<Object> values(String query) {
    return sql(query).collectAsList().stream().map(row -> row.get(0)).toList();
  }

  private static String plan(String query) {
    return sql(query).queryExecution().executedPlan().toString();
  }

  /** The cells as a client of Kudu reads them. */
  private static List<LocalDateTime> stored(String table, String column) throws Exception {
    KuduTable opened = KUDU.client().openTable(table);
    List<LocalDateTime> cells = new ArrayList<>();
    var scanner =
        KUDU.client().newScannerBuilder(opened).setProjectedColumnNames(List.of(column)).build();
    for (RowResult row : scanner) {
      cells.add(
          LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC)
              .plus(row.getLong(0), ChronoUnit.MICROS));
    }
    return cells;
  }

  private static ColumnSchema column(String table, String name) throws Exception {
    return KUDU.client().openTable(table).getSchema().getColumn(name);
  }

  // ---------------------------------------------------------------- the type

  @Test
  void typeAndValuesComeBackInEveryTimeZone() throws Exception {
    assertThat(column("ntz.t", "at").isWithoutTimeZone()).isTrue();
    assertThat(column("ntz.t", "at").getType()).isEqualTo(Type.UNIXTIME_MICROS);
    assertThat(column("ntz.t", "zoned").isWithoutTimeZone()).isFalse();
    assertThat(sql("SELECT * FROM k.ntz.t").schema().apply("at").dataType())
        .isEqualTo(DataTypes.TimestampNTZType);
    List<Object> expected = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      expected.add(LocalDateTime.parse("2024-03-10T00:00").plusMinutes(30L * i));
    }
    assertThat(values("SELECT at FROM k.ntz.t ORDER BY id")).isEqualTo(expected);
    assertThat(stored("ntz.t", "at")).containsExactlyInAnyOrderElementsOf(castToTimes(expected));
    KUDU.spark().conf().set(ZONE, "Asia/Kolkata");
    try {
      assertThat(values("SELECT at FROM k.ntz.t ORDER BY at")).isEqualTo(expected);
    } finally {
      KUDU.spark().conf().set(ZONE, "America/Los_Angeles");
    }
  }

  private static List<LocalDateTime> castToTimes(List<Object> values) {
    return values.stream().map(LocalDateTime.class::cast).toList();
  }

  @Test
  void tableCanBeCreatedFromItsDescription() throws Exception {
    String statement = sql("SHOW CREATE TABLE k.ntz.t").head().getString(0);
    assertThat(statement).contains("at TIMESTAMP_NTZ DEFAULT TIMESTAMP_NTZ '2020-01-02T03:04:05");
    sql(statement.replace("k.ntz.t", "k.ntz.again"));
    assertThat(column("ntz.again", "at")).isEqualTo(column("ntz.t", "at"));
    assertThat(column("ntz.again", "at").getDefaultValue())
        .isEqualTo(column("ntz.t", "at").getDefaultValue());
    sql("INSERT INTO k.ntz.again (id) VALUES (1)");
    assertThat(stored("ntz.again", "at"))
        .containsExactly(LocalDateTime.parse("2020-01-02T03:04:05.678901"));
    assertThat(sql("DESCRIBE k.ntz.again").collectAsList().toString()).contains("timestamp_ntz");
  }

  @Test
  void alteredColumnsKeepTheType() throws Exception {
    sql("CREATE TABLE k.ntz.altered (id INT, a TIMESTAMP_NTZ, PRIMARY KEY (id))");
    sql("INSERT INTO k.ntz.altered VALUES (1, TIMESTAMP_NTZ'" + SKIPPED + "')");
    sql("ALTER TABLE k.ntz.altered ADD COLUMN b TIMESTAMP_NTZ");
    sql("ALTER TABLE k.ntz.altered ALTER COLUMN b SET DEFAULT TIMESTAMP_NTZ'" + SKIPPED + "'");
    sql("ALTER TABLE k.ntz.altered RENAME COLUMN a TO renamed");
    KUDU.client()
        .alterTable(
            "ntz.altered",
            new AlterTableOptions()
                .changeComment("renamed", "local")
                .changeCompressionAlgorithm("b", ColumnSchema.CompressionAlgorithm.LZ4));
    sql("INSERT INTO k.ntz.altered (id) VALUES (2)");
    assertThat(sql("SELECT renamed, b FROM k.ntz.altered ORDER BY id").collectAsList().toString())
        .isEqualTo("[[2024-03-10T02:30,null], [null,2024-03-10T02:30]]");
    assertThat(column("ntz.altered", "renamed").isWithoutTimeZone()).isTrue();
    assertThat(column("ntz.altered", "b").isWithoutTimeZone()).isTrue();
  }

  @Test
  void timestampMeansTimestampNtzIfTheSessionSaysSo() throws Exception {
    KUDU.spark().conf().set("spark.sql.timestampType", "TIMESTAMP_NTZ");
    try {
      sql("CREATE TABLE k.ntz.meant (id INT, at TIMESTAMP, PRIMARY KEY (id))");
    } finally {
      KUDU.spark().conf().unset("spark.sql.timestampType");
    }
    assertThat(column("ntz.meant", "at").isWithoutTimeZone()).isTrue();
  }

  // ---------------------------------------------------------------- reading

  @Test
  void serversEvaluatePredicates() {
    for (Map.Entry<String, Integer> predicate :
        Map.of(
                "at = TIMESTAMP_NTZ'" + SKIPPED + "'",
                1,
                "at > TIMESTAMP_NTZ'" + SKIPPED + "'",
                4,
                "at IN (TIMESTAMP_NTZ'" + SKIPPED + "', TIMESTAMP_NTZ'2024-03-10 03:30:00')",
                2,
                "at NOT IN (TIMESTAMP_NTZ'" + SKIPPED + "')",
                9,
                "at < '2024-03-10 02:30:00'",
                5,
                "at <=> TIMESTAMP_NTZ'" + SKIPPED + "' OR id = 0",
                2)
            .entrySet()) {
      String query =
          "SELECT id FROM k.ntz.t WITH (`kudu.runtimeFilters` = 'false') WHERE "
              + predicate.getKey();
      assertThat(values(query)).as(query).hasSize(predicate.getValue());
      assertThat(plan(query)).as(query).doesNotContain(" Filter ");
    }
  }

  @Test
  void sparkConvertsForComparisonsWithTimestamps() {
    // 00:00 in Los Angeles is 08:00 UTC, so a comparison of the cells would be wrong
    assertThat(values("SELECT id FROM k.ntz.t WHERE at = zoned")).containsExactly(0);
    assertThat(values("SELECT id FROM k.ntz.t WHERE at <= TIMESTAMP'2024-03-10 08:30:00Z'"))
        .containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void serversAggregateAndOrder() {
    String extremes = "SELECT min(at), max(at), count(at) FROM k.ntz.t";
    assertThat(sql(extremes).head().toString()).isEqualTo("[2024-03-10T00:00,2024-03-10T04:30,10]");
    assertThat(plan(extremes)).contains("min(at)");
    String groups = "SELECT at, count(*) FROM k.ntz.t GROUP BY at";
    assertThat(sql(groups).collectAsList()).hasSize(10);
    assertThat(plan(groups)).contains("group by at");
    String last = "SELECT at FROM k.ntz.t ORDER BY at DESC LIMIT 2";
    assertThat(values(last).toString()).isEqualTo("[2024-03-10T04:30, 2024-03-10T04:00]");
    assertThat(plan(last)).contains("order by at");
  }

  @Test
  void joinsFindTheDateTimes() {
    sql(
        "CREATE TABLE k.ntz.key (at TIMESTAMP_NTZ, v INT, PRIMARY KEY (at))"
            + " PARTITIONED BY (bucket(2, at))");
    sql("INSERT INTO k.ntz.key SELECT at, id FROM k.ntz.t");
    assertThat(
            values(
                "SELECT d.v FROM k.ntz.key d JOIN k.ntz.t t ON d.at = t.at AND t.id IN (3, 5)"
                    + " ORDER BY 1"))
        .containsExactly(3, 5);
    assertThat(
            values("SELECT a.v FROM k.ntz.key a JOIN k.ntz.key b ON a.at = b.at ORDER BY a.v")
                .size())
        .isEqualTo(10);
  }

  @Test
  void statisticsDoNotFailTheOptimizer() {
    Map<String, String> byCost =
        Map.of("spark.sql.cbo.enabled", "true", "spark.sql.cbo.joinReorder.enabled", "true");
    byCost.forEach(KUDU.spark().conf()::set);
    try {
      assertThat(
              sql("CALL k.system.analyze('ntz.t', array('at'))").collectAsList().get(0).toString())
          .contains("2024-03-10T00:00", "2024-03-10T04:30");
      assertThat(
              values(
                  "SELECT a.id FROM k.ntz.t a JOIN k.ntz.t b ON a.at = b.at JOIN k.ntz.t c ON b.at ="
                      + " c.at WHERE a.at > TIMESTAMP_NTZ'2024-03-10 04:00:00'"))
          .containsExactly(9);
    } finally {
      byCost.keySet().forEach(KUDU.spark().conf()::unset);
    }
  }

  // ---------------------------------------------------------------- ranges

  @Test
  void boundsAreLocal() throws Exception {
    sql(
        "CREATE TABLE k.ntz.ranged (at TIMESTAMP_NTZ, PRIMARY KEY (at)) PARTITION BY RANGE (at)"
            + " (PARTITION VALUES < '2024-01-01', PARTITION '2024-01-01' <= VALUES <"
            + " TIMESTAMP_NTZ'"
            + SKIPPED
            + "', PARTITION TIMESTAMP_NTZ'"
            + SKIPPED
            + "' <= VALUES < TIMESTAMP'2024-07-01 12:00:00') STORED AS KUDU");
    sql(
        "CALL k.system.add_range_partition('ntz.ranged', '''2024-07-01 12:00:00'' <= VALUES <"
            + " ''2025-01-01T00:00:00Z''')");
    sql("ALTER TABLE k.ntz.ranged ADD RANGE PARTITION DATE'2025-01-01' <= VALUES");
    assertThat(values("SHOW RANGE PARTITIONS k.ntz.ranged"))
        .containsExactly(
            "VALUES < 2024-01-01T00:00:00.000000",
            "2024-01-01T00:00:00.000000 <= VALUES < 2024-03-10T02:30:00.000000",
            "2024-03-10T02:30:00.000000 <= VALUES < 2024-07-01T12:00:00.000000",
            "2024-07-01T12:00:00.000000 <= VALUES < 2025-01-01T00:00:00.000000",
            "VALUES >= 2025-01-01T00:00:00.000000");
    sql(
        sql("SHOW CREATE TABLE k.ntz.ranged")
            .head()
            .getString(0)
            .replace("k.ntz.ranged", "k.ntz.ranged_again"));
    assertThat(values("SHOW RANGE PARTITIONS k.ntz.ranged_again"))
        .isEqualTo(values("SHOW RANGE PARTITIONS k.ntz.ranged"));
  }

  @Test
  void boundsOfTimestampsAreInTheTimeZoneOfTheSession() {
    sql(
        "CREATE TABLE k.ntz.zoned (at TIMESTAMP, PRIMARY KEY (at)) PARTITION BY RANGE (at)"
            + " (PARTITION VALUES < TIMESTAMP_NTZ'2024-07-01 00:00:00', PARTITION TIMESTAMP'2024-07-01"
            + " 00:00:00' <= VALUES) STORED AS KUDU");
    assertThat(values("SHOW RANGE PARTITIONS k.ntz.zoned"))
        .containsExactly(
            "VALUES < 2024-07-01T07:00:00.000000Z", "VALUES >= 2024-07-01T07:00:00.000000Z");
  }

  // ---------------------------------------------------------------- writing

  @Test
  void rowsAreChanged() throws Exception {
    sql("CREATE TABLE k.ntz.changed (at TIMESTAMP_NTZ, v TIMESTAMP_NTZ, PRIMARY KEY (at))");
    sql("INSERT INTO k.ntz.changed SELECT at, at FROM k.ntz.t");
    sql("UPDATE k.ntz.changed SET v = v + INTERVAL '1' DAY WHERE at = '" + SKIPPED + "'");
    sql("DELETE FROM k.ntz.changed WHERE at < TIMESTAMP_NTZ'" + SKIPPED + "'");
    sql(
        "MERGE INTO k.ntz.changed c USING (SELECT TIMESTAMP_NTZ'2024-03-10 04:00:00' AS at UNION ALL"
            + " SELECT TIMESTAMP_NTZ'2030-01-01 00:00:00') s ON c.at = s.at WHEN MATCHED THEN DELETE"
            + " WHEN NOT MATCHED THEN INSERT (at, v) VALUES (s.at, s.at)");
    assertThat(
            sql("SELECT at, v FROM k.ntz.changed ORDER BY at").collectAsList().stream()
                .map(Row::toString))
        .containsExactly(
            "[2024-03-10T02:30,2024-03-11T02:30]",
            "[2024-03-10T03:00,2024-03-10T03:00]",
            "[2024-03-10T03:30,2024-03-10T03:30]",
            "[2024-03-10T04:30,2024-03-10T04:30]",
            "[2030-01-01T00:00,2030-01-01T00:00]");
  }

  @Test
  void dataFramesAreWrittenOnlyWithTheirType() throws Exception {
    sql("CREATE TABLE k.ntz.frames (id INT, at TIMESTAMP_NTZ, zoned TIMESTAMP, PRIMARY KEY (id))");
    write(sql("SELECT 1 AS id, TIMESTAMP_NTZ'" + SKIPPED + "' AS at"));
    assertThat(stored("ntz.frames", "at")).containsExactly(LocalDateTime.parse("2024-03-10T02:30"));
    assertThatThrownBy(() -> write(sql("SELECT 2 AS id, TIMESTAMP'2024-01-01 00:00:00' AS at")))
        .hasStackTraceContaining("of type TIMESTAMP in the data")
        .hasStackTraceContaining("UNIXTIME_MICROS WITHOUT TIME ZONE")
        .hasStackTraceContaining("cast it");
    assertThatThrownBy(() -> write(sql("SELECT 2 AS id, TIMESTAMP_NTZ'" + SKIPPED + "' AS zoned")))
        .hasStackTraceContaining("of type TIMESTAMP_NTZ in the data");
    sql("INSERT INTO k.ntz.frames (id, at) VALUES (3, TIMESTAMP'2024-07-01 00:00:00')");
    assertThat(values("SELECT at FROM k.ntz.frames WHERE id = 3"))
        .as("Spark converts with the time zone of the session")
        .containsExactly(LocalDateTime.parse("2024-07-01T00:00"));
  }

  private static void write(Dataset<Row> rows) {
    rows.write()
        .format("kudu")
        .option("kudu.master", KUDU.masterAddresses())
        .option("kudu.table", "ntz.frames")
        .mode("append")
        .save();
  }

  // ---------------------------------------------------------------- other servers

  @Test
  void serversWithoutTheTypeRefuseItByName() {
    try (EmbeddedCluster other =
        EmbeddedCluster.builder()
            .tabletServers(1)
            .masterFlag("--unlock_unsafe_flags=true")
            .masterFlag("--master_support_columns_without_time_zone=false")
            .start()) {
      SparkSession session = KUDU.spark().newSession();
      session.conf().set("spark.sql.catalog.plain", KuduCatalog.class.getName());
      session.conf().set("spark.sql.catalog.plain.kudu.master", other.masterAddresses());
      assertThatThrownBy(
              () ->
                  session.sql(
                      "CREATE TABLE plain.t (id INT, local TIMESTAMP_NTZ, PRIMARY KEY (id))"))
          .hasMessageContainingAll("creation of table t", "column local", "use UNIXTIME_MICROS")
          .hasMessageContaining("TIMESTAMP in Spark");
      assertThat(session.sql("SHOW TABLES IN plain").collectAsList()).isEmpty();
      session.sql("CREATE TABLE plain.t (id INT, PRIMARY KEY (id))");
      assertThatThrownBy(() -> session.sql("ALTER TABLE plain.t ADD COLUMN local TIMESTAMP_NTZ"))
          .hasMessageContainingAll("alteration of table t", "column local", "use UNIXTIME_MICROS");
      session.sql("ALTER TABLE plain.t ADD COLUMN zoned TIMESTAMP");
    }
  }
}
