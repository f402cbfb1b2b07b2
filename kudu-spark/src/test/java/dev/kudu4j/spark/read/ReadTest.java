package dev.kudu4j.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Upsert;
import dev.kudu4j.spark.SparkOnKudu;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Reads: all values of all types, predicates with Spark's semantics, and one snapshot for each
 * query.
 */
class ReadTest {
  private static final int PREDICATES = Integer.getInteger("spark.predicates", 80);
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final int ROWS = 300;

  /** The text of a filter that Spark evaluates, in plans. */
  private static final String FILTER = " Filter ";

  private static final String TABLE = "k.read.all_types";

  /** Hides the filters that servers evaluate from Spark, as for a large table. */
  private static final String AS_LARGE = " WITH (`kudu.runtimeFilters` = 'false')";

  private static List<Row> rows;

  @BeforeAll
  static void load() throws Exception {
    AllTypes.create(KUDU.spark(), TABLE);
    rows = AllTypes.rows(KUDU.spark(), ROWS, new Random(1));
    AllTypes.insert(KUDU.client(), "read.all_types", rows);
    KUDU.spark().createDataFrame(rows, AllTypes.schema()).createOrReplaceTempView("expected");
  }

  private static Dataset<Row> sql(String text) {
    return KUDU.spark().sql(text);
  }

  private static String plan(String query) {
    return plan(sql(query));
  }

  private static String plan(Dataset<Row> query) {
    return query.queryExecution().executedPlan().toString();
  }

  /** Settings of the session until {@link #close}. */
  private record Settings(Map<String, String> settings) implements AutoCloseable {
    Settings {
      settings.forEach(KUDU.spark().conf()::set);
    }

    @Override
    public void close() {
      settings.keySet().forEach(KUDU.spark().conf()::unset);
    }
  }

  @Test
  void everyValueIsReadCorrectly() {
    List<Row> read = sql("SELECT * FROM " + TABLE + " ORDER BY id").collectAsList();
    assertThat(texts(read))
        .isEqualTo(texts(sql("SELECT * FROM expected ORDER BY id").collectAsList()));
  }

  private static List<String> texts(List<Row> rows) {
    return rows.stream().map(ReadTest::text).toList();
  }

  private static String text(Row row) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.length(); i++) {
      Object cell = row.get(i);
      cells.add(cell instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : "" + cell);
    }
    return cells.toString();
  }

  @Test
  void countReadsNoColumn() {
    assertThat(sql("SELECT count(*) FROM " + TABLE).head().getLong(0)).isEqualTo(ROWS);
    assertThat(plan("SELECT count(*) FROM " + TABLE)).contains("kudu k.read.all_types [count(*)]");
  }

  /**
   * A pushed predicate selects the rows that Spark selects. Spark evaluates all predicates in one
   * query over a local copy, with a result column for each.
   */
  @Test
  @SuppressWarnings("try") // the settings apply until they are closed
  void anyPredicateSelectsWhatSparkSelects() {
    long seed = Long.getLong("test.seed", 7);
    Random random = new Random(seed);
    List<String> predicates = new ArrayList<>();
    for (int i = 0; i < PREDICATES; i++) {
      predicates.add(predicate(random, 2));
    }
    try (Settings plain = new Settings(Map.of("spark.sql.codegen.wholeStage", "false"))) {
      List<Row> judged =
          sql("SELECT id, " + String.join(", ", predicates) + " FROM expected").collectAsList();
      int pushed = 0;
      for (int i = 0; i < predicates.size(); i++) {
        int verdict = i + 1;
        Dataset<Row> read = sql("SELECT id FROM " + TABLE + " WHERE " + predicates.get(i));
        assertThat(ids(read.collectAsList()))
            .as("seed %d: %s", seed, predicates.get(i))
            .isEqualTo(
                ids(judged.stream().filter(row -> Boolean.TRUE.equals(row.get(verdict))).toList()));
        Dataset<Row> asLarge =
            sql("SELECT id FROM " + TABLE + AS_LARGE + " WHERE " + predicates.get(i));
        pushed += plan(asLarge).contains(FILTER) ? 0 : 1;
      }
      assertThat(pushed).as("filters that left Spark").isGreaterThan(predicates.size() / 3);
    }
  }

  private static List<Integer> ids(List<Row> rows) {
    return rows.stream().map(row -> row.getInt(0)).sorted().toList();
  }

  static String predicate(Random random, int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      String left = predicate(random, depth - 1);
      String right = predicate(random, depth - 1);
      return switch (random.nextInt(3)) {
        case 0 -> "(" + left + " AND " + right + ")";
        case 1 -> "(" + left + " OR " + right + ")";
        default -> "NOT (" + left + ")";
      };
    }
    int index = random.nextInt(AllTypes.COLUMNS.size());
    String column = AllTypes.COLUMNS.get(index);
    List<String> literals = AllTypes.LITERALS.get(index);
    String value = literals.get(random.nextInt(literals.size()));
    String other = literals.get(random.nextInt(literals.size()));
    return switch (random.nextInt(16)) {
      case 0 -> column + " = " + value;
      case 1 -> column + " < " + value;
      case 2 -> column + " <= " + value;
      case 3 -> column + " > " + value;
      case 4 -> column + " >= " + value;
      case 5 -> value + " <= " + column;
      case 6 -> column + " <=> " + value;
      case 7 -> column + " IN (" + value + ", " + other + (random.nextBoolean() ? ", NULL)" : ")");
      case 8 -> column + " IS " + (random.nextBoolean() ? "NULL" : "NOT NULL");
      case 9 -> column + " <> " + value;
      case 10 -> index == 0 ? column : column + " BETWEEN " + value + " AND " + other;
      case 11 -> "(cast(i8 AS INT) + cast(i16 AS INT) " + comparison(random) + " d9 * 2)";
      case 12 -> column + " NOT IN (" + value + (random.nextBoolean() ? ", NULL)" : ")");
      case 13 -> {
        String[] alike = {"text", "vc", "i32", "i8", "d18", "d9", "i64"};
        String right = alike[random.nextInt(2)];
        String left = alike[random.nextInt(2)];
        yield random.nextBoolean()
            ? left + " " + comparison(random) + " " + right
            : alike[2 + random.nextInt(5)]
                + " "
                + comparison(random)
                + " "
                + alike[2 + random.nextInt(5)];
      }
      default ->
          column.equals("text") || column.equals("vc")
              ? column
                  + " LIKE '"
                  + (random.nextBoolean() ? "%" : "")
                  + value.substring(1, value.length() - 1)
                  + (random.nextBoolean() ? "%'" : "'")
              : "(" + column + " = " + value + " OR " + column + " = " + other + ")";
    };
  }

  private static String comparison(Random random) {
    return List.of("=", "<>", "<", ">=").get(random.nextInt(4));
  }

  @Test
  void knownPredicatesLeaveNothingToSpark() {
    for (String where :
        List.of(
            "i32 = 7",
            "i64 > 5 AND i64 <= 10",
            "text IN ('a', 'b')",
            "text LIKE 'ab%'",
            "vc IS NULL",
            "bool",
            "NOT bool",
            "day >= DATE'2024-01-01'",
            "d18 < 1.5",
            "f64 < 1.0D",
            "f32 = float(2.25)",
            "i8 = 1Y OR i8 = 2Y",
            "f64 > 1.0D",
            "text LIKE '%a'",
            "i32 <> 7",
            "i16 > i8 OR NOT (text <=> 'a' AND d9 * 2 > d18)",
            "bin = X'00'")) {
      assertThat(plan("SELECT id FROM " + TABLE + AS_LARGE + " WHERE " + where))
          .as(where)
          .doesNotContain(FILTER);
    }
    for (String where :
        List.of("f64 > f32", "text LIKE '%a_'", "i32 % 2 = 0", "upper(text) = 'A'")) {
      assertThat(plan("SELECT id FROM " + TABLE + " WHERE " + where)).as(where).contains(FILTER);
    }
  }

  @Test
  void limitStopsTheScan() {
    String query = "SELECT id FROM " + TABLE + AS_LARGE + " WHERE i32 > 0 LIMIT 3";
    assertThat(sql(query).collectAsList()).hasSize(3);
    assertThat(plan(query)).contains("limit 3");
  }

  @Test
  void timeTravelReadsEarlierRows() throws Exception {
    sql("CREATE TABLE k.read.travel (id INT, v STRING, PRIMARY KEY (id))");
    KuduClient client = KUDU.client();
    upsert(client, 1, "old");
    long before = client.getLastPropagatedTimestamp() + 1;
    upsert(client, 1, "new");
    upsert(client, 2, "newer");
    assertThat(values("k.read.travel")).isEqualTo("[[1,new], [2,newer]]");
    assertThat(values("k.read.travel VERSION AS OF " + before)).isEqualTo("[[1,old]]");
    long micros = (before >> 12) + 1;
    // Later than the first and, since the clock is in microseconds, perhaps the second write.
    assertThat(
            values("k.read.travel TIMESTAMP AS OF timestamp_micros(" + (micros - 3_000_000) + "L)"))
        .isEqualTo("[]");
    assertThat(
            KUDU.spark()
                .read()
                .format("kudu")
                .option("kudu.master", KUDU.masterAddresses())
                .option("kudu.table", "read.travel")
                .load()
                .count())
        .isEqualTo(2);
    assertThatThrownBy(() -> values("k.read.travel VERSION AS OF 'yesterday'"))
        .hasMessageContaining("hybrid timestamps");
  }

  /**
   * The hybrid time of a date in 2050 overflows a signed long, and was taken for a time before
   * 1970.
   */
  @Test
  void timeInTheFutureIsRefusedWhenPlanned() {
    for (String from :
        List.of(
            TABLE + " TIMESTAMP AS OF '2050-01-01'",
            TABLE + " TIMESTAMP AS OF '2031-01-01'",
            TABLE + " TIMESTAMP AS OF '9999-12-31'",
            TABLE + " VERSION AS OF 9223372036854775807",
            TABLE + " WITH (`kudu.snapshotTimestampMs` = '2524608000000')",
            TABLE + " WITH (`kudu.snapshotTimestampMs` = '9223372036854775807')")) {
      assertThatThrownBy(() -> plan("SELECT * FROM " + from))
          .as(from)
          .hasMessageContaining("Table k.read.all_types cannot be read as of ")
          .hasMessageContaining("which is in the future");
    }
  }

  private static String values(String from) {
    return sql("SELECT * FROM " + from + " ORDER BY id").collectAsList().toString();
  }

  private static void upsert(KuduClient client, int id, String value) throws Exception {
    KuduTable table = client.openTable("read.travel");
    KuduSession session = client.newSession();
    Upsert upsert = table.newUpsert();
    upsert.getRow().addInt("id", id);
    upsert.getRow().addString("v", value);
    session.apply(upsert);
    session.close();
  }
}
