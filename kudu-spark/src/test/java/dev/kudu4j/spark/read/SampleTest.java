package dev.kudu4j.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.spark.SparkOnKudu;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Samples that servers select. */
class SampleTest {
  private static final int ROWS = 2000;
  private static final String TABLE = "k.sampled.all_types";

  /** Hides the filters that servers evaluate from Spark, as for a large table. */
  private static final String AS_LARGE = TABLE + " WITH (`kudu.runtimeFilters` = 'false')";

  private static final String TENTH = AS_LARGE + " TABLESAMPLE (10 PERCENT) REPEATABLE (7)";

  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  @BeforeAll
  static void load() throws Exception {
    AllTypes.create(KUDU.spark(), TABLE);
    AllTypes.insert(
        KUDU.client(), "sampled.all_types", AllTypes.rows(KUDU.spark(), ROWS, new Random(7)));
  }

  private static Dataset<Row> sql(String text) {
    return KUDU.spark().sql(text);
  }

  private static Set<Object> ids(Dataset<Row> rows) {
    List<Row> collected = rows.select("id").collectAsList();
    Set<Object> ids = new HashSet<>();
    collected.forEach(row -> assertThat(ids.add(row.get(0))).isTrue());
    return ids;
  }

  private static String plan(Dataset<Row> query) {
    return query.queryExecution().executedPlan().toString();
  }

  private static long number(String query) {
    return ((Number) sql(query).first().get(0)).longValue();
  }

  @Test
  void serversSelectTheSameRowsEachTime() {
    Dataset<Row> sample = sql("SELECT * FROM " + TENTH);
    assertThat(plan(sample)).contains("SAMPLE(id, 0.0 TO 0.1, SEED 7)").doesNotContain("Sample [");
    Set<Object> ids = ids(sample);
    assertThat(ids).hasSizeBetween(ROWS / 10 - 80, ROWS / 10 + 80); // six deviations
    assertThat(ids(sql("SELECT * FROM " + TENTH))).isEqualTo(ids);
    assertThat(ids(KUDU.spark().table(TABLE).sample(0.1, 7))).isEqualTo(ids);
    Set<Object> other = ids(KUDU.spark().table(TABLE).sample(0.1, 8));
    other.retainAll(ids);
    assertThat(other).hasSizeLessThan(ROWS / 20);
    assertThat(ids(sql("SELECT id FROM " + TABLE + " TABLESAMPLE (100 PERCENT)"))).hasSize(ROWS);
    assertThat(ids(sql("SELECT id FROM " + TABLE + " TABLESAMPLE (0 PERCENT)"))).isEmpty();
    assertThat(ids(sql("SELECT id FROM " + TABLE + " TABLESAMPLE (BUCKET 3 OUT OF 10)")))
        .hasSizeBetween(ROWS * 3 / 10 - 120, ROWS * 3 / 10 + 120);
  }

  /** Spark offers predicates above a sample only if no column is pruned below it. */
  @Test
  void filtersAndLimitsSeeTheSample() {
    Set<Object> expected = ids(sql("SELECT * FROM " + TENTH));
    expected.retainAll(ids(sql("SELECT id FROM " + TABLE + " WHERE i8 > 0 OR text <> 'a'")));
    assertThat(expected).hasSizeGreaterThan(10);
    String where = TENTH + " WHERE i8 > 0 OR text <> 'a'";
    Dataset<Row> all = sql("SELECT * FROM " + where);
    assertThat(plan(all)).containsPattern("SAMPLE\\(id.* OR ").doesNotContain("Filter (");
    assertThat(ids(all)).isEqualTo(expected);
    Dataset<Row> some = sql("SELECT id FROM " + where);
    assertThat(plan(some)).contains("SAMPLE(id").contains("Filter (");
    assertThat(ids(some)).isEqualTo(expected);
    assertThat(number("SELECT count(*) FROM " + where)).isEqualTo(expected.size());

    Dataset<Row> first = sql("SELECT id FROM " + TENTH + " ORDER BY id LIMIT 3");
    assertThat(plan(first)).contains("SAMPLE(id").contains(" order by ");
    Object smallest = sql("SELECT min(id) FROM " + TENTH).first().get(0);
    assertThat(first.first().get(0)).isEqualTo(smallest);
    assertThat(ids(sql("SELECT id FROM " + TENTH + " LIMIT 5"))).hasSize(5);
  }

  @Test
  void serversAggregateTheSample() {
    String query = "SELECT count(*) AS rows, min(id) AS first FROM " + TENTH;
    assertThat(plan(sql(query))).contains("[count(*), min(id)] where SAMPLE(id");
    Row found = sql(query).first();
    Set<Object> ids = ids(sql("SELECT * FROM " + TENTH));
    assertThat(found.getLong(0)).isEqualTo(ids.size());
    assertThat(ids).contains(found.get(1));
  }

  /** Spark must not reuse the rows of one sample for another sample. */
  @Test
  void differentSamplesOfOneTableAreDifferent() {
    String counts =
        "SELECT (SELECT count(*) FROM %s) AS some, (SELECT count(*) FROM %s) AS other"
            .formatted(TENTH, TABLE);
    Row both = sql(counts).first();
    assertThat(both.getLong(0)).isEqualTo(ids(sql("SELECT * FROM " + TENTH)).size());
    assertThat(both.getLong(1)).isEqualTo(ROWS);
    String join =
        "SELECT /*+ MERGE(a, b) */ count(*) FROM %s AS a JOIN %s AS b ON a.i32 = b.i32"
            .formatted(TENTH, AS_LARGE + " TABLESAMPLE (40 PERCENT) REPEATABLE (9)");
    KUDU.spark()
        .createDataFrame(sql("SELECT * FROM " + TENTH).collectAsList(), AllTypes.schema())
        .createOrReplaceTempView("a_sample");
    KUDU.spark()
        .createDataFrame(
            sql("SELECT * FROM " + TABLE + " TABLESAMPLE (40 PERCENT) REPEATABLE (9)")
                .collectAsList(),
            AllTypes.schema())
        .createOrReplaceTempView("b_sample");
    assertThat(number(join))
        .isEqualTo(number("SELECT count(*) FROM a_sample a JOIN b_sample b ON a.i32 = b.i32"));
  }

  @Test
  void sparkSamplesWhatServersCannot() {
    Dataset<Row> repeated = KUDU.spark().table(TABLE).sample(true, 0.5, 7);
    assertThat(plan(repeated)).doesNotContain("SAMPLE(id").contains("Sample");
    Dataset<Row> twice = KUDU.spark().table(TABLE).sample(0.5, 7).sample(0.5, 7);
    assertThat(plan(twice)).contains("SAMPLE(id, 0.0 TO 0.5, SEED 7)").contains("Sample");
    assertThat(twice.count()).isBetween(ROWS / 4 - 120L, ROWS / 4 + 120L);
    Dataset<Row>[] parts = KUDU.spark().table(TABLE).randomSplit(new double[] {0.8, 0.2}, 3);
    assertThat(parts[0].count() + parts[1].count()).isEqualTo(ROWS);
  }
}
