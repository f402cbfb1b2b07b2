package dev.kudu4j.spark.read;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndexProgress;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.SparkOnKudu;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Queries that read a global index instead of its table. */
class GlobalIndexScanTest {
  private static final String TABLE = "k.global.orders";
  private static final String FORBIDDEN = TABLE + " WITH (`kudu.indexHint` = 'forbid')";
  private static final String INSTEAD = "index by_customer instead of the table";

  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static long beforeIndex; // hybrid time

  private final Random random = new Random(5);

  @BeforeAll
  static void createTable() throws KuduException {
    sql(
        "CREATE TABLE k.global.orders (shop INT NOT NULL, id BIGINT NOT NULL, customer INT,"
            + " day DATE, price DECIMAL(10, 2), note STRING, PRIMARY KEY (shop, id))"
            + " PARTITIONED BY (bucket(3, shop)) TBLPROPERTIES ('num-replicas' = '1')");
    sql(
        "INSERT INTO k.global.orders SELECT id % 11, id, if(id % 13 = 0, NULL, id % 101),"
            + " date_add(DATE'2026-01-01', CAST(id % 29 AS INT)),"
            + " if(id % 7 = 0, NULL, id % 37 / 4), concat('note ', id % 5) FROM range(5000)");
    KuduTable table = KUDU.client().openTable("global.orders");
    KUDU.client().newScannerBuilder(table).build().nextRows();
    beforeIndex = KUDU.client().getLastPropagatedTimestamp() + 1;
    sql(
        "CREATE INDEX by_customer ON TABLE k.global.orders USING global (customer)"
            + " OPTIONS (include = 'day, price', hash = 'customer', buckets = '2')");
    sql("DELETE FROM k.global.orders WHERE id % 17 = 3");
    await("the index is ready").until(() -> isReady("global.orders"));
    sql("UPDATE k.global.orders SET customer = customer + 1 WHERE id % 19 = 5");
  }

  private static boolean isReady(String table) throws Exception {
    return KUDU.client().openTable(table).getIndexProgress().stream()
        .allMatch(index -> index.state() == KuduIndexProgress.State.READY);
  }

  private static Dataset<Row> sql(String statement) {
    return KUDU.spark().sql(statement);
  }

  private static String explained(String query) {
    return sql("EXPLAIN FORMATTED " + query).first().getString(0);
  }

  private static List<String> rows(String query) {
    return sql(query).collectAsList().stream().map(Row::toString).sorted().toList();
  }

  private static List<String> verify(String query) {
    List<String> rows = rows(query);
    assertThat(rows).as(query).isEqualTo(rows(query.replace(TABLE, FORBIDDEN)));
    return rows;
  }

  @Test
  void anIndexWithAllColumnsIsRead() {
    String covered = "SELECT price, id, customer FROM k.global.orders WHERE customer = 7";
    assertThat(explained(covered)).contains(INSTEAD);
    assertThat(verify(covered)).hasSizeGreaterThan(30);
    assertThat(sql(covered).rdd().getNumPartitions()).isEqualTo(1); // one tablet of the index
    String range = covered.replace("= 7", "< 70 AND customer > 60");
    assertThat(explained(range)).contains(INSTEAD);
    assertThat(verify(range)).hasSizeGreaterThan(300);
    assertThat(sql(range).rdd().getNumPartitions()).isEqualTo(2);
    String all = "SELECT * FROM k.global.orders WHERE customer = 7";
    assertThat(explained(all)).doesNotContain(INSTEAD);
    assertThat(verify(all)).hasSizeGreaterThan(30);
    assertThat(explained("SELECT id FROM k.global.orders WHERE price = 2"))
        .doesNotContain("instead of");
    assertThat(explained("SELECT _tablet, id FROM k.global.orders WHERE customer = 7"))
        .doesNotContain("instead of");
    assertThat(explained(covered.replace(TABLE, FORBIDDEN))).doesNotContain("by_customer");
    assertThat(verify(covered + " LIMIT 100000")).hasSizeGreaterThan(30);
    assertThat(rows(covered + " LIMIT 3")).hasSize(3);
  }

  @Test
  void aggregatesReadAnIndex() {
    String count = "SELECT count(*) FROM k.global.orders WHERE customer = 7 AND price > 2";
    assertThat(explained(count)).contains(INSTEAD);
    assertThat(verify(count)).hasSize(1);
    assertThat(verify(count.replace("= 7", "= 777"))).containsExactly("[0]");
    String days =
        "SELECT day, count(*), sum(price), max(id) FROM k.global.orders"
            + " WHERE customer IN (3, 5, 8) GROUP BY day";
    assertThat(explained(days)).contains(INSTEAD);
    assertThat(verify(days)).hasSize(29);
    String shops = // a shop is in one tablet of the table, but in all of the index
        "SELECT shop, count(*), avg(id) FROM k.global.orders WHERE customer = 7 GROUP BY shop";
    assertThat(verify(shops)).hasSize(11);
  }

  @Test
  void randomFiltersSelectTheSameRows() {
    int read = 0;
    for (int i = 0; i < 30; i++) {
      String query =
          (random.nextInt(4) == 0
                  ? "SELECT count(*), sum(price), min(day) FROM "
                  : "SELECT id, price, customer, day FROM ")
              + TABLE
              + " WHERE "
              + filter()
              + (random.nextBoolean() ? " AND " + filter() : "");
      verify(query);
      read += explained(query).contains(INSTEAD) ? 1 : 0;
    }
    assertThat(read).isBetween(3, 27);
  }

  private String filter() {
    int customer = random.nextInt(104);
    return switch (random.nextInt(10)) {
      case 0, 1 -> "customer = " + customer;
      case 2 -> "customer IN (" + customer + ", 5, NULL, 50)";
      case 3 -> "customer < " + customer;
      case 4 -> "customer BETWEEN " + customer + " AND " + (customer + random.nextInt(9));
      case 5 -> "customer IS NULL";
      case 6 -> "day = DATE'2026-01-" + (10 + random.nextInt(20)) + "'";
      case 7 -> "(customer = " + customer + " OR price > 8)";
      case 8 -> "price " + (random.nextBoolean() ? "IS NOT NULL" : "< 4.5");
      default -> "id < " + random.nextInt(5000);
    };
  }

  @Test
  void filtersOfJoinsArePushedToTheIndex() {
    sql(
        "CREATE TABLE k.global.customers (customer INT NOT NULL, name STRING,"
            + " PRIMARY KEY (customer)) TBLPROPERTIES ('num-replicas' = '1')");
    sql("INSERT INTO k.global.customers SELECT id, concat('c', id) FROM range(100)");
    String join =
        "SELECT o.id, o.price, c.name FROM k.global.orders o JOIN k.global.customers c"
            + " ON o.customer = c.customer WHERE c.name IN ('c3', 'c4')";
    int filtered = 0;
    for (String more : List.of("", " AND o.day = DATE'2026-01-05'", " AND o.customer > 2")) {
      Dataset<Row> joined = sql(join + more);
      List<String> found = joined.collectAsList().stream().map(Row::toString).sorted().toList();
      assertThat(found)
          .isNotEmpty()
          .isEqualTo(
              rows(
                  join.replace(
                          "k.global.orders o",
                          "k.global.orders WITH (`kudu.indexHint` = 'forbid') o")
                      + more));
      String plan = joined.queryExecution().executedPlan().toString();
      if (plan.contains(" learnt ")) {
        assertThat(plan).contains(INSTEAD);
        filtered++;
      }
    }
    assertThat(filtered).isPositive();
  }

  @Test
  void rowsBeforeTheIndexAreReadFromTheTable() {
    String old = "SELECT id, price FROM k.global.orders VERSION AS OF " + beforeIndex;
    String query = old + " WHERE customer = 7";
    assertThat(explained(query)).doesNotContain("instead of");
    assertThat(rows(query)).hasSizeGreaterThan(30);
  }

  @Test
  void changesOfTheTableAreReadFromItsIndex() {
    String moved = "SELECT id FROM k.global.orders WHERE customer = 500";
    assertThat(explained(moved)).contains(INSTEAD);
    for (int i = 1; i <= 5; i++) {
      sql("UPDATE k.global.orders SET customer = 500 WHERE id BETWEEN 4000 AND 4000 + " + i * 10);
      assertThat(verify(moved)).hasSizeBetween(i * 9, i * 10 + 1);
      verify("SELECT count(*), sum(id) FROM k.global.orders WHERE customer IN (500, 60, 70)");
    }
  }
}
