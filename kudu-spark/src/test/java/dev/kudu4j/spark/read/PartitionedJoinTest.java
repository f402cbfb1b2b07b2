package dev.kudu4j.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.spark.SparkOnKudu;
import dev.kudu4j.spark.write.BucketFunction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.TransformExpression;
import org.apache.spark.sql.connector.read.partitioning.KeyGroupedPartitioning;
import org.apache.spark.sql.connector.read.partitioning.Partitioning;
import org.apache.spark.sql.connector.read.partitioning.UnknownPartitioning;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Spark joins and groups by hash columns without moving rows, and knows the order of scans. */
class PartitionedJoinTest {
  private static final String BROADCAST = "spark.sql.autoBroadcastJoinThreshold";
  private static final String BUCKETING = "spark.sql.sources.v2.bucketing.enabled";

  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  @BeforeAll
  static void load() {
    KUDU.spark().conf().set(BROADCAST, "-1"); // small tables are joined as large ones
    for (String table : List.of("orders", "parts")) {
      sql(
          "CREATE TABLE k.joined."
              + table
              + " (id BIGINT, line INT, kind INT, v INT, PRIMARY KEY (id, line))"
              + " PARTITIONED BY (bucket(4, id))");
      sql(
          "INSERT INTO k.joined."
              + table
              + " SELECT id % 50, CAST(id AS INT), CAST(id % 5 AS INT), CAST(id % 7 AS INT)"
              + " FROM range(400)");
    }
    sql(
        "CREATE TABLE k.joined.few (id BIGINT, at INT, v INT, PRIMARY KEY (id, at))"
            + " PARTITIONED BY (bucket(2, id)) TBLPROPERTIES ('range-columns' = 'at',"
            + " 'range-partitions' = 'VALUES < 10; 10 <= VALUES < 20; 20 <= VALUES')");
    sql(
        "INSERT INTO k.joined.few SELECT id % 20, CAST(id % 30 AS INT), CAST(id AS INT)"
            + " FROM range(600)");
  }

  @AfterAll
  static void restore() {
    KUDU.spark().conf().unset(BROADCAST);
  }

  private static Dataset<Row> sql(String text) {
    return KUDU.spark().sql(text);
  }

  private static String plan(Dataset<Row> query) {
    return query.queryExecution().executedPlan().toString();
  }

  private static List<String> rows(Dataset<Row> query) {
    return query.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  /** Runs a query with reported partitionings, and checks that the rows are right. */
  private static String planOfCorrect(String query) {
    Dataset<Row> found = sql(query);
    List<String> rows = rows(found);
    KUDU.spark().conf().set(BUCKETING, "false");
    try {
      Dataset<Row> shuffled = sql(query);
      assertThat(rows).as(query).isEqualTo(rows(shuffled)).isNotEmpty();
    } finally {
      KUDU.spark().conf().unset(BUCKETING);
    }
    return plan(found);
  }

  // ---------------------------------------------------------------- the hash

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TINYINT | id % 100",
        "SMALLINT | id * 7 - 500",
        "INT | id * 1000003 - 70000000",
        "BIGINT | id * 10000000019 - 700000000000",
        "STRING | concat('x', id)",
        "VARCHAR(9) | concat('é', id)",
        "BINARY | encode(concat('b', id), 'UTF-8')",
        "DATE | date_add(DATE'1969-01-01', CAST(id AS INT) * 11)",
        "TIMESTAMP | timestamp_micros(id * 1234567891 - 70000000000)",
        "TIMESTAMP_NTZ | CAST(timestamp_micros(id * 1234567891 - 70000000000) AS TIMESTAMP_NTZ)",
        "DECIMAL(9, 2) | id / 7 - 5",
        "DECIMAL(18, 4) | id * 1000003 / 7 - 5000",
        "DECIMAL(38, 10) | id * 10000000000019 / 7 - 5"
      })
  void bucketsEqualTheBucketsOfTheTablets(String type, String value) throws Exception {
    String table = "joined.of_" + type.replaceAll("[^A-Za-z0-9]+", "_");
    sql(
        "CREATE TABLE k."
            + table
            + " (key "
            + type
            + ", PRIMARY KEY (key)) PARTITIONED BY (bucket(5, key))");
    sql("INSERT INTO k." + table + " SELECT CAST(" + value + " AS " + type + ") FROM range(120)");
    Map<String, Integer> bucketOf = new HashMap<>();
    for (LocatedTablet tablet : KUDU.client().openTable(table).getTabletsLocations(30_000)) {
      bucketOf.put(
          new String(tablet.getTabletId(), StandardCharsets.UTF_8),
          tablet.getPartition().getHashBuckets().get(0));
    }
    List<Row> found = sql("SELECT key, k.bucket(5, key), _tablet FROM k." + table).collectAsList();
    assertThat(found).hasSizeGreaterThan(90);
    for (Row row : found) {
      assertThat(row.getInt(1)).as("%s", row.get(0)).isEqualTo(bucketOf.get(row.getString(2)));
    }
  }

  @Test
  void severalColumnsAreHashedTogether() {
    sql(
        "CREATE TABLE k.joined.pairs (a STRING, b INT, PRIMARY KEY (a, b))"
            + " PARTITIONED BY (bucket(7, a, b))");
    sql("INSERT INTO k.joined.pairs SELECT concat('a', id % 9), CAST(id AS INT) FROM range(200)");
    assertThat(sql("SELECT DISTINCT k.bucket(7, a, b), _tablet FROM k.joined.pairs").count())
        .as("a bucket is one tablet")
        .isEqualTo(7);
    assertThat(sql("SELECT k.bucket(4, CAST(NULL AS INT))").head().isNullAt(0)).isTrue();
    assertThatThrownBy(() -> sql("SELECT k.bucket(4, 1.5D)").collectAsList())
        .hasMessageContaining("bucket cannot hash a DOUBLE");
    assertThatThrownBy(() -> sql("SELECT k.bucket(1, 5)").collectAsList())
        .hasStackTraceContaining("at least 2 buckets, got 1");
  }

  // ---------------------------------------------------------------- several columns

  @Test
  void dimensionsOfSeveralColumnsAreShuffled() {
    for (String table : List.of("left", "right")) {
      sql(
          "CREATE TABLE k.joined.pairs_"
              + table
              + " (a INT, b INT, v INT, PRIMARY KEY (a, b)) PARTITIONED BY (bucket(4, a, b))");
      sql(
          "INSERT INTO k.joined.pairs_"
              + table
              + " SELECT CAST(id % 10 AS INT), CAST(id AS INT), 1 FROM range(100)");
    }
    assertThat(
            planOfCorrect(
                "SELECT l.a, l.b, r.v FROM k.joined.pairs_left l JOIN k.joined.pairs_right r"
                    + " ON l.a = r.a AND l.b = r.b"))
        .contains("Exchange");
  }

  /** If this fails, {@link HashPartitioning} can report dimensions of several columns. */
  @Test
  void sparkStillDropsFunctionsOfSeveralColumns() throws Exception {
    assertThat(sparkSupports("a")).isTrue();
    assertThat(sparkSupports("a", "b")).isFalse();
  }

  private static boolean sparkSupports(String... columns) throws Exception {
    StructType arguments = new StructType().add("buckets", DataTypes.IntegerType);
    List<Expression> references = new ArrayList<>();
    for (String column : columns) {
      arguments = arguments.add(column, DataTypes.IntegerType);
      references.add(
          new AttributeReference(
              column,
              DataTypes.IntegerType,
              true,
              Metadata.empty(),
              NamedExpression.newExprId(),
              CollectionConverters.asScala(List.<String>of()).toSeq()));
    }
    Expression bucket =
        new TransformExpression(
            new BucketFunction().bind(arguments),
            CollectionConverters.asScala(references).toSeq(),
            Option.apply(4));
    return (boolean)
        keyedPartitioning()
            .getMethod("supportsExpressions", Seq.class)
            .invoke(null, CollectionConverters.asScala(List.of(bucket)).toSeq());
  }

  /** Spark 4.2 has renamed it. */
  private static Class<?> keyedPartitioning() throws ClassNotFoundException {
    String packageName = "org.apache.spark.sql.catalyst.plans.physical.";
    try {
      return Class.forName(packageName + "KeyedPartitioning");
    } catch (ClassNotFoundException e) {
      return Class.forName(packageName + "KeyGroupedPartitioning");
    }
  }

  // ---------------------------------------------------------------- plans

  @Test
  void joinsByHashColumnsMoveNoRows() {
    assertThat(
            planOfCorrect(
                "SELECT o.id, o.line, p.v FROM k.joined.orders o JOIN k.joined.parts p"
                    + " ON o.id = p.id AND o.line < p.line"))
        .doesNotContain("Exchange");
    assertThat(
            planOfCorrect(
                "SELECT id, count(DISTINCT v), max(kind) FILTER (WHERE v > 1)"
                    + " FROM k.joined.orders GROUP BY id"))
        .doesNotContain("Exchange");
    assertThat(
            planOfCorrect(
                "SELECT o.id, count(DISTINCT p.v) FROM k.joined.orders o"
                    + " LEFT JOIN (SELECT * FROM k.joined.parts WHERE id < 9) p ON o.id = p.id"
                    + " GROUP BY o.id"))
        .as("some tablets of one side are pruned or empty")
        .doesNotContain("Exchange");
    assertThat(
            planOfCorrect(
                "SELECT o.line, p.v FROM k.joined.orders o JOIN k.joined.parts p"
                    + " ON o.line = p.line"))
        .as("not by the hash column")
        .contains("Exchange");
  }

  @Test
  void bucketsOfMultiplesJoinIfSparkMayReduceThem() {
    sql(
        "CREATE TABLE k.joined.eighths (id BIGINT, w INT, PRIMARY KEY (id))"
            + " PARTITIONED BY (bucket(8, id))");
    sql("INSERT INTO k.joined.eighths SELECT id, CAST(id AS INT) FROM range(60)");
    String join =
        "SELECT o.line, e.w FROM k.joined.orders o JOIN k.joined.eighths e ON o.id = e.id";
    assertThat(planOfCorrect(join)).contains("Exchange");
    with(
        "spark.sql.sources.v2.bucketing.allowCompatibleTransforms.enabled=true",
        () -> assertThat(planOfCorrect(join)).doesNotContain("Exchange"));
  }

  /**
   * Spark computes the bucket of each row of the other source, and moves the row to the task of
   * this bucket.
   */
  @Test
  void rowsOfOtherSourcesMoveToTheBuckets() {
    KUDU.spark().range(60).createOrReplaceTempView("sixty");
    with(
        "spark.sql.sources.v2.bucketing.shuffle.enabled=true",
        () -> {
          String plan =
              planOfCorrect(
                  "SELECT o.line, s.id FROM k.joined.orders o JOIN sixty s ON o.id = s.id");
          assertThat(plan.substring(plan.indexOf("== Initial Plan ==")).split("Exchange", -1))
              .as("one exchange in the initial plan: %s", plan)
              .hasSize(2);
        });
  }

  private static void with(String setting, Runnable test) {
    String[] parts = setting.split("=", 2);
    KUDU.spark().conf().set(parts[0], parts[1]);
    try {
      test.run();
    } finally {
      KUDU.spark().conf().unset(parts[0]);
    }
  }

  @Test
  void runtimeFiltersKeepTheKeys() {
    sql("CREATE TABLE k.joined.kinds (kind INT, id BIGINT, name STRING, PRIMARY KEY (kind))");
    sql("INSERT INTO k.joined.kinds VALUES (1, 3, 'one'), (2, 7, 'two'), (3, 3, 'three')");
    for (String column : List.of("kind", "id")) {
      String plan =
          planOfCorrect(
              "SELECT /*+ BROADCAST(d) */ o.id, o.line, p.v FROM k.joined.orders o"
                  + " JOIN k.joined.parts p ON o.id = p.id JOIN k.joined.kinds d ON o."
                  + column
                  + " = d."
                  + column
                  + " WHERE upper(d.name) = 'ONE'");
      assertThat(plan).contains("learnt").doesNotContain("ShuffleQueryStage");
    }
  }

  @Test
  void splitsAreGroupedOnlyIfNeeded() throws Exception {
    assertThat(sql("SELECT id, at, v FROM k.joined.few WHERE v > 3").rdd().getNumPartitions())
        .as("2 buckets of 3 ranges")
        .isEqualTo(6);
    KUDU.assumeSparkIsLaterThan41("grouping of splits for an aggregation only");
    assertThat(planOfCorrect("SELECT id, count(DISTINCT v) FROM k.joined.few GROUP BY id"))
        .doesNotContain("Exchange");
    KuduTable table = KUDU.client().openTable("joined.few");
    HashPartitioning byId = HashPartitioning.of(table, List.of("id", "v"));
    List<KuduSplit> splits =
        table.getTabletsLocations(30_000).stream()
            .map(tablet -> split(byId.key(tablet.getPartition())))
            .toList();
    assertThat(splits).hasSize(6);
    Partitioning useful = byId.of(splits, 2, false);
    assertThat(useful).isInstanceOf(KeyGroupedPartitioning.class);
    assertThat(((KeyGroupedPartitioning) useful).keys()[0]).hasToString("bucket(2, id)");
    assertThat(byId.of(splits, 3, false))
        .as("two tasks would leave a core idle")
        .isInstanceOf(UnknownPartitioning.class);
    assertThat(byId.of(splits, 2, true))
        .as("Spark 4.1 would read three tablets in one task")
        .isInstanceOf(UnknownPartitioning.class);
    assertThat(byId.of(List.of(split(0), split(1)), 99, true))
        .as("no splits are grouped")
        .isInstanceOf(KeyGroupedPartitioning.class);
    assertThat(byId.of(List.of(split(0)), 1, false)).isInstanceOf(UnknownPartitioning.class);
    assertThat(HashPartitioning.of(table, List.of("at")).isEmpty())
        .as("the scan does not read the column")
        .isTrue();
  }

  private static KuduSplit split(int... key) {
    return new KuduSplit(new byte[] {1}, new String[0], "tablet", key);
  }

  @Test
  void aKeyNeverGetsMoreSplits() {
    KuduSplit zero = split(0);
    KuduSplit one = split(1);
    assertThat(
            HashPartitioning.narrowed(
                List.of(zero, one, split(2)), List.of(split(0), split(0), split(1))))
        .hasSize(2)
        .contains(zero)
        .doesNotContain(one);
  }

  @Test
  void scansInKeyOrderNeedNoSort() {
    String ordered = " WITH (`kudu.faultTolerantScan` = 'true') ";
    String join =
        "SELECT /*+ MERGE(p) */ o.id, o.line, p.v FROM k.joined.orders%s o"
            + " JOIN k.joined.parts%s p ON o.id = p.id AND o.line = p.line";
    with(
        "spark.sql.requireAllClusterKeysForCoPartition=false", // they are hashed by one of the two
        () -> {
          assertThat(planOfCorrect(String.format(join, ordered, ordered)))
              .contains("SortMergeJoin")
              .doesNotContain("Sort [")
              .doesNotContain("Exchange");
          assertThat(planOfCorrect(String.format(join, "", "")))
              .contains("Sort [")
              .doesNotContain("Exchange");
        });
    assertThat(planOfCorrect("SELECT line, v FROM k.joined.orders" + ordered + "SORT BY line"))
        .as("the first column of the key is not read")
        .contains("Sort [");
  }

  /**
   * The splits of an explained query are computed before it runs, but its snapshot is taken when it
   * runs.
   */
  @Test
  void explainedQueriesReadTheRowsAtTheTimeTheyRun() {
    sql("CREATE TABLE k.joined.late (id INT, PRIMARY KEY (id)) PARTITIONED BY (bucket(2, id))");
    Dataset<Row> query =
        sql("SELECT a.id FROM k.joined.late a JOIN k.joined.late b ON a.id = b.id");
    assertThat(plan(query)).doesNotContain("Exchange");
    sql("INSERT INTO k.joined.late VALUES (1), (2), (3)");
    assertThat(rows(query)).containsExactly("[1]", "[2]", "[3]");
  }

  /** The new range has another number of hash buckets than the table. */
  @Test
  void rangesWithOwnHashSchemasMayBeAddedAtAnyTime() {
    sql(
        "CREATE TABLE k.joined.grown (id INT, v INT, PRIMARY KEY (id)) PARTITION BY HASH (id)"
            + " PARTITIONS 2, RANGE (id) (PARTITION VALUES < 100) STORED AS KUDU");
    sql("INSERT INTO k.joined.grown SELECT CAST(id AS INT), 1 FROM range(100)");
    Dataset<Row> analyzed = sql("SELECT * FROM k.joined.grown");
    Dataset<Row> planned = sql("SELECT v, count(*) FROM k.joined.grown GROUP BY v");
    assertThat(plan(planned)).contains("count(*)");
    Dataset<Row> plannedJoin =
        sql("SELECT a.id FROM k.joined.grown a JOIN k.joined.grown b ON a.id = b.id");
    assertThat(plan(plannedJoin)).doesNotContain("Exchange");
    sql(
        "ALTER TABLE k.joined.grown ADD RANGE PARTITION 100 <= VALUES < 200 HASH (id) PARTITIONS 5");
    sql("INSERT INTO k.joined.grown SELECT CAST(id AS INT), 1 FROM range(100, 200)");

    for (int id = 0; id < 200; id += 7) {
      assertThat(rows(analyzed.where("id = " + id))).containsExactly("[" + id + ",1]");
    }
    assertThat(rows(analyzed.groupBy("v").count())).containsExactly("[1,200]");
    assertThat(analyzed.groupBy("id").agg(Map.of("v", "collect_list")).count()).isEqualTo(200);
    String join = "SELECT a.id FROM k.joined.grown a JOIN k.joined.grown b ON a.id = b.id";
    assertThat(planOfCorrect(join)).contains("Exchange");
    assertThat(sql(join).count()).isEqualTo(200);

    assertThatThrownBy(planned::collectAsList)
        .hasStackTraceContaining("A range with its own hash schema was added to or dropped from")
        .hasStackTraceContaining("table k.joined.grown after the query was planned; run it again");
    assertThat(plannedJoin.count()).as("a plan of its own").isEqualTo(200);
    assertThat(rows(plannedJoin)).as("the tablets of its plan").hasSize(100);
  }
}
