package dev.kudu4j.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Type;
import dev.kudu4j.spark.SparkOnKudu;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** UPDATE, DELETE and MERGE. */
class RowLevelOperationsTest {
  private static final String CODE = "spark.sql.codegen.wholeStage";

  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private TestTable table;

  @BeforeEach
  void fill() throws Exception {
    table = TestTable.create(KUDU);
    sql("INSERT INTO t VALUES (1, 'one', 10), (2, 'two', 20), (3, 'three', 30), (4, NULL, NULL)");
  }

  /** Runs a statement; {@code t} in it stands for the table. */
  private void sql(String statement) {
    KUDU.spark().sql(statement.replaceAll("\\bt\\b", table.sqlName()));
  }

  @Test
  void updateChangesMatchingRows() throws Exception {
    sql("UPDATE t SET score = score + 1, name = upper(name) WHERE score >= 20");

    assertThat(table.rows()).containsExactly("1|one|10", "2|TWO|21", "3|THREE|31", "4|NULL|NULL");
  }

  @Test
  void updateWithoutConditionChangesAll() throws Exception {
    sql("UPDATE t SET name = NULL, score = id");

    assertThat(table.rows()).containsExactly("1|NULL|1", "2|NULL|2", "3|NULL|3", "4|NULL|4");
  }

  @Test
  void updateMayQueryOtherTables() throws Exception {
    sql("UPDATE t SET score = -1 WHERE id IN (SELECT max(id) FROM t WHERE name IS NOT NULL)");

    assertThat(table.rows()).containsExactly("1|one|10", "2|two|20", "3|three|-1", "4|NULL|NULL");
  }

  @Test
  void namesOfKeyColumnsMayHaveDots() {
    SparkSession spark = KUDU.spark();
    spark.sql(
        "CREATE TABLE k.rowlevel.dotted (`part.no` INT NOT NULL, name STRING)"
            + " TBLPROPERTIES ('primary-key' = '`part.no`', 'num-replicas' = '1')");
    spark.sql("INSERT INTO k.rowlevel.dotted VALUES (1, 'nut'), (2, 'bolt'), (3, 'gear')");

    spark.sql("UPDATE k.rowlevel.dotted SET name = 'NUT' WHERE `part.no` = 1");
    spark.sql("DELETE FROM k.rowlevel.dotted WHERE name = 'bolt'");
    spark.sql(
        "MERGE INTO k.rowlevel.dotted d USING (SELECT 3 AS id, 'wheel' AS name) n"
            + " ON d.`part.no` = n.id WHEN MATCHED THEN UPDATE SET name = n.name");

    assertThat(spark.sql("SELECT * FROM k.rowlevel.dotted ORDER BY 1").collectAsList())
        .extracting(Row::toString)
        .containsExactly("[1,NUT]", "[3,wheel]");
    spark.sql("DROP TABLE k.rowlevel.dotted");
  }

  @Test
  void updateOfTheKeyMovesRows() throws Exception {
    sql("UPDATE t SET id = id + 100 WHERE id <= 2");

    assertThat(table.rows())
        .containsExactly("101|one|10", "102|two|20", "3|three|30", "4|NULL|NULL");
  }

  @Test
  void rowsMayMoveToKeysThatOtherRowsVacate() throws Exception {
    sql("DELETE FROM t");
    sql("INSERT INTO t SELECT CAST(id AS INT), 'n', id FROM range(0, 1000)");

    sql("UPDATE t SET id = id + 1");

    List<String> moved =
        IntStream.range(0, 1000).mapToObj(i -> (i + 1) + "|n|" + i).sorted().toList();
    assertThat(table.rows()).isEqualTo(moved);
  }

  @Test
  void deleteRemovesMatchingRows() throws Exception {
    sql("DELETE FROM t WHERE score > 10 AND name LIKE '%o%'");

    assertThat(table.rows()).containsExactly("1|one|10", "3|three|30", "4|NULL|NULL");
  }

  @Test
  void deleteMayQueryOtherTables() throws Exception {
    sql(
        "DELETE FROM t WHERE NOT EXISTS (SELECT 1 FROM VALUES (1), (4) AS kept(id) WHERE kept.id ="
            + " t.id)");

    assertThat(table.rows()).containsExactly("1|one|10", "4|NULL|NULL");
  }

  @Test
  void deleteReadsOnlyTheKeyAndTheColumnsOfItsCondition() {
    String plan =
        KUDU.spark()
            .sql("EXPLAIN DELETE FROM t WHERE score > 10".replaceAll("\\bt\\b", table.sqlName()))
            .head()
            .getString(0);

    assertThat(plan).contains("Kudu DELETE of " + table.sqlName());
    assertThat(plan.substring(plan.indexOf("BatchScan"))).doesNotContain("name#");
  }

  @Test
  void updateReadsTheTableOnce() {
    String plan =
        KUDU.spark()
            .sql(
                "EXPLAIN UPDATE t SET name = 'x' WHERE score > 10 AND score < 1000"
                    .replaceAll("\\bt\\b", table.sqlName()))
            .head()
            .getString(0);

    assertThat(plan.split("BatchScan", -1)).hasSize(2);
  }

  @Test
  void mergeUpdatesDeletesAndInserts() throws Exception {
    sql(
        "MERGE INTO t USING (SELECT * FROM VALUES"
            + " (1, 'uno', false), (2, 'due', true), (5, 'cinque', false), (6, 'sei', true)"
            + " AS s(id, name, gone)) s ON t.id = s.id"
            + " WHEN MATCHED AND s.gone THEN DELETE"
            + " WHEN MATCHED THEN UPDATE SET name = s.name"
            + " WHEN NOT MATCHED AND NOT s.gone THEN INSERT (id, name) VALUES (s.id, s.name)"
            + " WHEN NOT MATCHED BY SOURCE AND t.score IS NULL THEN DELETE"
            + " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET score = t.score * 2");

    assertThat(table.rows()).containsExactly("1|uno|10", "3|three|60", "5|cinque|NULL");
  }

  @Test
  void mergeOfAllColumns() throws Exception {
    sql(
        "MERGE INTO t USING (SELECT * FROM VALUES (3, 'tre', 33L), (7, 'sette', 77L)"
            + " AS s(id, name, score)) s ON t.id = s.id"
            + " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *");

    assertThat(table.rows())
        .containsExactly("1|one|10", "2|two|20", "3|tre|33", "4|NULL|NULL", "7|sette|77");
  }

  @Test
  void mergeThatOnlyInserts() throws Exception {
    sql(
        "MERGE INTO t USING (SELECT * FROM VALUES (3, 'tre', 33L), (7, 'sette', 77L)"
            + " AS s(id, name, score)) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *");

    assertThat(table.rows())
        .containsExactly("1|one|10", "2|two|20", "3|three|30", "4|NULL|NULL", "7|sette|77");
  }

  @Test
  void mergeMayMoveRows() throws Exception {
    sql(
        "MERGE INTO t USING (SELECT * FROM VALUES (1, 9) AS s(old, new)) s ON t.id = s.old"
            + " WHEN MATCHED THEN UPDATE SET id = s.new");

    assertThat(table.rows()).containsExactly("2|two|20", "3|three|30", "4|NULL|NULL", "9|one|10");
  }

  @Test
  void mergeRejectsTwoSourceRowsForOneTargetRow() throws Exception {
    KUDU.spark()
        .conf()
        .set(
            CODE,
            "true"); // without generated code, Spark fails only after it has written the first row
    try {
      assertThatThrownBy(
              () ->
                  sql(
                      "MERGE INTO t USING (SELECT * FROM VALUES (1, 'a'), (1, 'b') AS s(id, name))"
                          + " s ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = s.name"))
          .hasMessageContaining("MERGE_CARDINALITY_VIOLATION");
    } finally {
      KUDU.spark().conf().unset(CODE);
    }
    assertThat(table.rows()).contains("2|two|20", "3|three|30", "4|NULL|NULL").hasSize(4);
    if (!KUDU.spark()
        .version()
        .startsWith("4.1")) { // which fails only after it has written the first row
      assertThat(table.rows()).contains("1|one|10");
    }
  }

  @Test
  void rowsOfManyKeyColumnsAreFound() throws Exception {
    table =
        TestTable.create(
            KUDU,
            new ColumnSchemaBuilder("day", Type.DATE).key(true).build(),
            new ColumnSchemaBuilder("at", Type.UNIXTIME_MICROS).key(true).build(),
            new ColumnSchemaBuilder("who", Type.STRING).key(true).build(),
            new ColumnSchemaBuilder("n", Type.INT16).key(true).build(),
            new ColumnSchemaBuilder("what", Type.STRING).build());
    sql(
        "INSERT INTO t VALUES (DATE'2013-01-01', TIMESTAMP'2013-01-01 05:00:00', 'a', 1S, 'x'),"
            + " (DATE'2013-01-01', TIMESTAMP'2013-01-01 05:00:00', 'a', 2S, 'y'),"
            + " (DATE'2013-01-02', TIMESTAMP'2013-01-01 05:00:00', 'b', 1S, 'z')");

    sql("UPDATE t SET what = what || what WHERE who = 'a'");
    sql("DELETE FROM t WHERE what = 'xx'");
    sql("UPDATE t SET n = 7S, day = day + 1 WHERE what = 'z'");

    assertThat(table.rows())
        .containsExactly(
            "2013-01-01|2013-01-01 05:00:00.0|a|2|yy", "2013-01-03|2013-01-01 05:00:00.0|b|7|z");
  }

  @Test
  void nullForANotNullColumnIsRejected() throws Exception {
    table =
        TestTable.create(
            KUDU,
            new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
            new ColumnSchemaBuilder("must", Type.STRING).build());
    sql("INSERT INTO t VALUES (1, 'm')");

    assertThatThrownBy(() -> sql("UPDATE t SET must = NULL")).hasMessageContaining("must");
    assertThatThrownBy(() -> sql("UPDATE t SET must = nullif(must, 'm')"))
        .hasMessageContaining("NULL");
    assertThat(table.rows()).containsExactly("1|m");
  }

  @Test
  void immutableColumnsAreReportedBeforeAnyWrite() throws Exception {
    table =
        TestTable.create(
            KUDU,
            new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
            new ColumnSchemaBuilder("born", Type.INT32).immutable(true).nullable(true).build(),
            new ColumnSchemaBuilder("name", Type.STRING).nullable(true).build());
    sql("INSERT INTO t VALUES (1, 1815, 'Ada'), (2, 1912, 'Alan')");

    assertThatThrownBy(() -> sql("UPDATE t SET name = upper(name)"))
        .hasMessageContaining("cannot be changed: born")
        .hasMessageContaining("kudu.operation");
    table.write(table.values("SELECT 1 AS id, 'ADA' AS name"), WriteOperation.UPDATE);
    sql("DELETE FROM t WHERE id = 2");
    assertThat(table.rows()).containsExactly("1|1815|ADA");
  }
}
