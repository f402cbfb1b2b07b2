package dev.kudu4j.spark.read;

import static dev.kudu4j.spark.read.ComparedTable.plan;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.spark.SparkOnKudu;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Aggregates that servers compute equal Spark's results. */
class AggregateTest {
  private static final int QUERIES = Integer.getInteger("spark.aggregates", 20);
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static ComparedTable table;

  @BeforeAll
  static void load() throws Exception {
    table = ComparedTable.load(KUDU, "aggregated", 5);
  }

  private static Dataset<Row> sql(String text) {
    return KUDU.spark().sql(text);
  }

  @Test
  void anyAggregateIsAsSparkComputesIt() {
    long seed = Long.getLong("test.seed", 11);
    Random random = new Random(seed);
    int pushed = 0;
    for (int i = 0; i < QUERIES; i++) {
      String query = query(random);
      Dataset<Row> found = table.queryAsLarge(query);
      assertThat(texts(found))
          .as("seed %d: %s", seed, query)
          .isEqualTo(texts(table.expected(query)));
      pushed += plan(found).contains("kudu " + table.name() + " [count(*)") ? 1 : 0;
    }
    assertThat(pushed).as("aggregations that left Spark").isGreaterThan(QUERIES / 2);
  }

  static String query(Random random) {
    List<String> groupBy = new ArrayList<>();
    for (String column : List.of("bool", "i8", "text", "vc", "day", "d9", "f32", "f64", "id")) {
      if (random.nextInt(column.equals("id") ? 8 : 4) == 0) {
        groupBy.add(column);
      }
    }
    List<String> results = new ArrayList<>(groupBy);
    results.add("count(*)");
    for (int i = random.nextInt(5); i >= 0; i--) {
      String any = AllTypes.COLUMNS.get(random.nextInt(AllTypes.COLUMNS.size()));
      results.add(
          switch (random.nextInt(6)) {
            case 0 -> "count(" + any + ")";
            case 1 -> "min(" + any + ")";
            case 2 -> "max(" + any + ")";
            case 3 -> "sum(" + number(random) + ")";
            case 4 -> "avg(" + List.of("i8", "i32", "d9", "d18").get(random.nextInt(4)) + ")";
            default -> "max(" + number(random) + ")";
          });
    }
    String where =
        switch (random.nextInt(5)) {
          case 0 -> " WHERE i8 > 0 OR text = 'a'";
          case 1 -> " WHERE NOT (vc = 'a' AND i16 < 5)";
          case 2 -> " WHERE text <> 'a' AND day >= DATE'1969-12-31'";
          case 3 -> " WHERE text LIKE '%b%' OR f64 > 0";
          default -> "";
        };
    String by = groupBy.isEmpty() ? "" : " GROUP BY " + String.join(", ", groupBy);
    return "SELECT " + String.join(", ", results) + " FROM TABLE" + where + by;
  }

  private static String number(Random random) {
    String[] numbers = {
      "i8",
      "i16",
      "i32",
      "d9",
      "d18",
      "d9 * (1 - d9)",
      "d9 + d18",
      "i8 * 2.5BD",
      "i8 * 2BD",
      "1",
      "i8 + i8",
      "i32 wide"
    };
    String number = numbers[random.nextInt(numbers.length)];
    return switch (number) {
      case "i8 + i8" -> "cast(i8 AS INT) + cast(i16 AS INT)";
      case "i32 wide" -> "cast(i32 AS BIGINT)";
      default -> number;
    };
  }

  static List<String> texts(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(AggregateTest::text).sorted().toList();
  }

  private static String text(Row row) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.length(); i++) {
      Object cell = row.get(i);
      String text = cell instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : "" + cell;
      cells.add(text.equals("-0.0") ? "0.0" : text); // equal, and either may be the least
    }
    return cells.toString();
  }

  @Test
  void plansShowWhetherServersAggregate() {
    String perFlag = plan(table.query("SELECT bool, sum(d18) FROM TABLE GROUP BY bool"));
    assertThat(perFlag).contains("kudu " + table.name() + " [sum(d18)] group by bool");
    assertThat(plan(table.query("SELECT id, sum(i32) FROM TABLE GROUP BY id")))
        .as("as many groups as rows")
        .doesNotContain("group by id");
    sql(
        "CREATE TABLE k.aggregated.readings (host INT, at INT, v INT, PRIMARY KEY (host, at))"
            + " PARTITIONED BY (bucket(3, host))");
    assertThat(plan(sql("SELECT host, sum(v) FROM k.aggregated.readings GROUP BY host")))
        .as("groups within tablets are not merged")
        .contains("group by host")
        .doesNotContain("Exchange");
    assertThat(
            sql("SELECT count(*), sum(v) FROM k.aggregated.readings WHERE at > 5 AND at < 3")
                .head()
                .toString())
        .isEqualTo("[0,null]");
    assertThat(plan(table.query("SELECT count(DISTINCT i8) FROM TABLE"))).contains("[i8");
    assertThat(plan(table.query("SELECT f64, count(*) FROM TABLE GROUP BY f64")))
        .as("servers have one group for both zeros too")
        .contains("group by f64");
  }

  @Test
  void metricsAreReportedWithTheGroups() {
    KUDU.spark().conf().set("spark.sql.adaptive.enabled", "false");
    try {
      Dataset<Row> query = table.queryAsLarge("SELECT bool, count(*) FROM TABLE GROUP BY bool");
      int groups = query.collectAsList().size();
      SparkPlan scan = query.queryExecution().executedPlan().collectLeaves().head();
      assertThat(scan.metrics().apply("kuduRowsReturned").value())
          .as("each tablet returns its groups")
          .isGreaterThanOrEqualTo(groups);
      assertThat(scan.metrics().contains("kuduServerMillis")).isTrue();
    } finally {
      KUDU.spark().conf().unset("spark.sql.adaptive.enabled");
    }
  }

  /**
   * The sum of a tablet has more digits than the column, and Spark casts it to the column's type.
   */
  @Test
  void sumsOfLargeDecimalsAreExact() {
    sql("CREATE TABLE k.aggregated.money (id INT, amount DECIMAL(12, 2), PRIMARY KEY (id))");
    sql(
        "INSERT INTO k.aggregated.money SELECT CAST(id AS INT),"
            + " CAST(9999999999.99 - id % 3 AS DECIMAL(12, 2)) FROM range(1000)");
    String query = "SELECT sum(amount), count(*), max(amount), min(id) FROM k.aggregated.money";
    assertThat(plan(sql(query))).contains("[sum(amount), count(*), max(amount), min(id)]");
    assertThat(sql(query).head().toString()).isEqualTo("[9999999998991.00,1000,9999999999.99,0]");
  }
}
