package dev.kudu4j.spark.read;

import static dev.kudu4j.spark.read.ComparedTable.plan;
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

/** Servers and Spark select the same first rows. */
class FirstRowsTest {
  private static final int QUERIES = Integer.getInteger("spark.orders", 20);
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static ComparedTable table;

  @BeforeAll
  static void load() throws Exception {
    table = ComparedTable.load(KUDU, "ordered", 7);
  }

  @Test
  void anyOrderIsThatOfSpark() {
    long seed = Long.getLong("test.seed", 3);
    Random random = new Random(seed);
    for (int i = 0; i < QUERIES; i++) {
      String query = query(random);
      Dataset<Row> found = table.queryAsLarge(query);
      assertThat(ids(found)).as("seed %d: %s", seed, query).isEqualTo(ids(table.expected(query)));
      assertThat(plan(found)).as(query).contains(" order by ");
    }
  }

  /** The id, which is unique, makes the order total. */
  static String query(Random random) {
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
    String computed = "SELECT id FROM TABLE ORDER BY i32 % 3, id LIMIT 5";
    assertThat(plan(table.query(computed))).doesNotContain(" order by ");
    String faultTolerant =
        "SELECT id FROM TABLE WITH (`kudu.faultTolerantScan` = 'true')"
            + " ORDER BY i32 NULLS LAST, id LIMIT 5";
    assertThat(plan(table.query(faultTolerant))).doesNotContain(" order by ");
    assertThat(ids(table.query(faultTolerant)))
        .isEqualTo(ids(table.expected("SELECT id FROM TABLE ORDER BY i32 NULLS LAST, id LIMIT 5")));
  }
}
