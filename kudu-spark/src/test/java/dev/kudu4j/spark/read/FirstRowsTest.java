package dev.kudu4j.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.spark.SparkOnKudu;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The first rows that servers select are those that Spark selects. */
class FirstRowsTest {
  private static final int QUERIES = Integer.getInteger("spark.orders", 20);
  private static final String TABLE = "k.ordered.all_types";

  /** Spark sees no filter that the servers evaluate, as it would not of a large table. */
  private static final String AS_LARGE = " WITH (`kudu.runtimeFilters` = 'false')";

  private static final String LOCAL = "expected_order";

  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  @BeforeAll
  static void load() throws Exception {
    AllTypes.create(KUDU.spark(), TABLE);
    List<Row> rows = AllTypes.rows(KUDU.spark(), 400, new Random(7));
    AllTypes.insert(KUDU.client(), "ordered.all_types", rows);
    KUDU.spark().createDataFrame(rows, AllTypes.schema()).createOrReplaceTempView(LOCAL);
  }

  private static Dataset<Row> sql(String text) {
    return KUDU.spark().sql(text);
  }

  private static String plan(Dataset<Row> query) {
    return query.queryExecution().executedPlan().toString();
  }

  @Test
  void anyOrderIsThatOfSpark() {
    long seed = Long.getLong("test.seed", 3);
    Random random = new Random(seed);
    for (int i = 0; i < QUERIES; i++) {
      String query = query(random);
      Dataset<Row> found = sql(query.replace("TABLE", TABLE + AS_LARGE));
      assertThat(ids(found))
          .as("seed %d: %s", seed, query)
          .isEqualTo(ids(sql(query.replace("TABLE", LOCAL))));
      assertThat(plan(found)).as(query).contains(" order by ");
    }
  }

  /** The id, which is unique, makes the order total. */
  private static String query(Random random) {
    List<String> order = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      order.add(
          AllTypes.COLUMNS.get(random.nextInt(AllTypes.COLUMNS.size()))
              + (random.nextBoolean() ? " ASC" : " DESC")
              + List.of("", " NULLS FIRST", " NULLS LAST").get(random.nextInt(3)));
    }
    order.add("id");
    String where = random.nextBoolean() ? "" : " WHERE i8 > 0 OR text <> 'a'";
    String offset = random.nextInt(3) == 0 ? " OFFSET " + random.nextInt(20) : "";
    return "SELECT id FROM TABLE"
        + where
        + " ORDER BY "
        + String.join(", ", order)
        + " LIMIT "
        + (1 + random.nextInt(60))
        + offset;
  }

  private static List<Object> ids(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(row -> row.get(0)).toList();
  }

  @Test
  void sparkSortsWhatServersCannot() {
    String computed = "SELECT id FROM " + TABLE + " ORDER BY i32 % 3, id LIMIT 5";
    assertThat(plan(sql(computed))).doesNotContain(" order by ");
    String faultTolerant =
        "SELECT id FROM "
            + TABLE
            + " WITH (`kudu.faultTolerantScan` = 'true') ORDER BY i32 NULLS LAST, id LIMIT 5";
    assertThat(plan(sql(faultTolerant))).doesNotContain(" order by ");
    assertThat(ids(sql(faultTolerant)))
        .isEqualTo(ids(sql("SELECT id FROM " + LOCAL + " ORDER BY i32 NULLS LAST, id LIMIT 5")));
  }
}
