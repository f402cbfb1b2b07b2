package dev.kudu4j.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.spark.SparkOnKudu;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A MERGE of few rows into a large table reads the rows of their keys, with the same result. */
class MergeKeysTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final String THRESHOLD = "spark.sql.autoBroadcastJoinThreshold";
  private static final int ROWS = 3000;

  /** Half of the keys are in the table. */
  private static final String SOURCE =
      "(SELECT a, 7L AS b, a * 10 AS v FROM (SELECT id * 300 AS a FROM range(20)))";

  @BeforeAll
  static void takeTheTableForLarge() {
    KUDU.spark().conf().set(THRESHOLD, "5000");
  }

  @AfterAll
  static void forget() {
    KUDU.spark().conf().unset(THRESHOLD);
  }

  @BeforeEach
  void fill() {
    sql("DROP TABLE IF EXISTS k.merged.t");
    sql("CREATE TABLE k.merged.t (a BIGINT, b BIGINT, v BIGINT, s STRING, PRIMARY KEY (a, b))");
    sql("INSERT INTO k.merged.t SELECT id, 7, id, repeat('x', 20) FROM range(" + ROWS + ")");
  }

  private static List<Row> sql(String statement) {
    return KUDU.spark().sql(statement).collectAsList();
  }

  /** Waits for the filter, because the sizes of new tables become known only after a while. */
  private static void awaitFilter(String merge, boolean expected) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              String plan = sql("EXPLAIN " + merge).get(0).getString(0);
              boolean filtered = plan.contains("RuntimeFilters: [dynamicpruning");
              assertThat(filtered).as(plan).isEqualTo(expected);
            });
  }

  private static String merge(String source, String on, String actions) {
    return "MERGE INTO k.merged.t t USING %s c ON %s %s".formatted(source, on, actions);
  }

  /** The numbers of all, changed and new rows, and the sum of v. */
  private static String totals() {
    return sql("SELECT count(*), count_if(v = 10 * a AND s IS NOT NULL), count_if(s IS NULL),"
            + " sum(v) FROM k.merged.t")
        .get(0)
        .toString();
  }

  private static long sumOfOld() {
    return (long) ROWS * (ROWS - 1) / 2;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"t.a = c.a AND t.b = c.b", "c.a = t.a AND t.v >= 0", "t.b = c.b AND t.a = c.a"})
  void updatesAndInsertsEqualThoseOfAFullJoin(String on) {
    String merge =
        merge(
            SOURCE,
            on,
            "WHEN MATCHED THEN UPDATE SET v = c.v"
                + " WHEN NOT MATCHED THEN INSERT (a, b, v) VALUES (c.a, c.b, c.v)");
    awaitFilter(merge, true);

    sql(merge);

    long updated = 9 * 300 * 45; // a = 0, 300 ... 2700 have 9 a more
    long inserted = 3000 * (10 + 11 + 12 + 13 + 14 + 15 + 16 + 17 + 18 + 19);
    assertThat(totals())
        .isEqualTo("[%d,10,10,%d]".formatted(ROWS + 10, sumOfOld() + updated + inserted));
  }

  @Test
  void onlyMatchedRowsMayChange() {
    String merge = merge(SOURCE, "t.a = c.a", "WHEN MATCHED AND c.a > 0 THEN DELETE");
    awaitFilter(merge, true);

    sql(merge);

    assertThat(sql("SELECT count(*), count_if(a % 300 = 0) FROM k.merged.t").get(0).toString())
        .isEqualTo("[%d,1]".formatted(ROWS - 9));
  }

  @Test
  void onlyNewRowsMayBeInserted() {
    String merge =
        merge(SOURCE, "t.a = c.a", "WHEN NOT MATCHED THEN INSERT (a, b, v) VALUES (c.a, c.b, c.v)");
    awaitFilter(merge, true);

    sql(merge);

    assertThat(totals()).startsWith("[%d,1,10,".formatted(ROWS + 10)); // 10 * 0 = 0
  }

  @Test
  void aKuduTableMayBeTheSource() {
    sql("CREATE TABLE k.merged.c (a BIGINT, v BIGINT, PRIMARY KEY (a))");
    sql("INSERT INTO k.merged.c SELECT a, v FROM " + SOURCE);
    String merge = merge("k.merged.c", "t.a = c.a", "WHEN MATCHED THEN UPDATE SET v = c.v");
    awaitFilter(merge, true);

    sql(merge);

    assertThat(totals()).startsWith("[%d,10,0,".formatted(ROWS));
    sql("DROP TABLE k.merged.c");
  }

  @Test
  void filesMayBeTheSource(@TempDir Path directory) {
    String files = directory.resolve("source").toString();
    KUDU.spark().sql("SELECT * FROM " + SOURCE).write().parquet(files);
    String merge =
        merge(
            "parquet.`" + files + "`",
            "t.a = c.a AND t.b = c.b",
            "WHEN MATCHED THEN UPDATE SET v = c.v"
                + " WHEN NOT MATCHED THEN INSERT (a, b, v) VALUES (c.a, c.b, c.v)");
    awaitFilter(merge, true);

    sql(merge);

    assertThat(totals()).startsWith("[%d,10,10,".formatted(ROWS + 10));
  }

  /**
   * Statements whose source may return other rows on a second run, and statements that concern all
   * rows.
   */
  @Test
  void otherStatementsReadTheWholeTable() {
    String update = "WHEN MATCHED THEN UPDATE SET v = c.v";
    for (String merge :
        List.of(
            merge("(SELECT * FROM " + SOURCE + " LIMIT 5)", "t.a = c.a", update),
            merge("(SELECT * FROM " + SOURCE + " WHERE rand() < 0.5)", "t.a = c.a", update),
            merge("(SELECT a, max_by(v, b) v FROM " + SOURCE + " GROUP BY a)", "t.a = c.v", update),
            merge(
                "(SELECT a, b AS v, row_number() OVER (ORDER BY b) n FROM " + SOURCE + ")",
                "t.a = c.n",
                update),
            merge(SOURCE, "t.a <=> c.a", update),
            merge(SOURCE, "t.a = c.a OR t.b = c.b", update),
            merge(SOURCE, "t.a = c.a", update + " WHEN NOT MATCHED BY SOURCE THEN DELETE"),
            merge("(SELECT id AS a, id AS v FROM range(2000))", "t.a = c.a", update))) {
      awaitFilter(merge, false);
    }
  }

  @Test
  void otherJoinsOfAnInsertKeepTheirRows() {
    awaitFilter(insert("k.merged.t"), true);
    awaitFilter(insert("(SELECT * FROM k.merged.t ORDER BY a DESC LIMIT 2000)"), false);
  }

  @Test
  void optionsSwitchTheFilterOff() {
    awaitFilter(insert("k.merged.t WITH (`kudu.runtimeFilters` = 'false')"), false);
    awaitFilter(insert("k.merged.t WITH (`kudu.pushDown` = 'false')"), false);
  }

  private static String insert(String joined) {
    return "INSERT INTO k.merged.t BY NAME SELECT t.a, 8L AS b, c.v FROM "
        + joined
        + " t JOIN "
        + SOURCE
        + " c ON t.a = c.a";
  }

  @Test
  void aSmallTableIsRead() {
    KUDU.spark().conf().set(THRESHOLD, "1000000");
    try {
      awaitFilter(merge(SOURCE, "t.a = c.a", "WHEN MATCHED THEN DELETE"), false);
    } finally {
      takeTheTableForLarge();
    }
  }
}
