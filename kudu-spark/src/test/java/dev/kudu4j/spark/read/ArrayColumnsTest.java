package dev.kudu4j.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.SparkOnKudu;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of arrays: types, values, what servers evaluate, and writes. */
class ArrayColumnsTest {
  private static final String TABLE = "k.arrays.all_types";

  /** Hides the filters that servers evaluate from Spark, as for a large table. */
  private static final String AS_LARGE = TABLE + " WITH (`kudu.runtimeFilters` = 'false')";

  /** The text of a filter that Spark evaluates, in plans. */
  private static final String FILTER = " Filter ";

  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  @BeforeAll
  static void load() {
    assumeTrue(System.getProperty("test.masters") == null, "Apache Kudu 1.18 has no arrays");
    ArrayTable.create(KUDU.spark(), TABLE);
    ArrayTable.createView(KUDU.spark(), "expected_arrays");
    sql("INSERT INTO " + TABLE + " SELECT * FROM expected_arrays");
  }

  private static Dataset<Row> sql(String text) {
    return KUDU.spark().sql(text);
  }

  private static List<String> texts(String query) {
    return ArrayTable.texts(sql(query));
  }

  private static String plan(String query) {
    return sql(query).queryExecution().executedPlan().toString();
  }

  // ---------------------------------------------------------------- values

  @Test
  void sqlWritesAndReadsEveryArray() {
    assertHasAllRows(TABLE);
  }

  @Test
  void flushedAndCompactedArraysAreTheSame() {
    ArrayTable.create(KUDU.spark(), "k.arrays.flushed");
    sql("INSERT INTO k.arrays.flushed SELECT * FROM " + TABLE);
    sql("CALL k.system.compact('arrays.flushed')");
    sql("UPDATE k.arrays.flushed SET i32 = array(id), text = NULL WHERE id % 2 = 0");
    sql("CALL k.system.compact('arrays.flushed')");
    sql(
        "MERGE INTO k.arrays.flushed t USING expected_arrays s ON t.id = s.id"
            + " WHEN MATCHED THEN UPDATE SET i32 = s.i32, text = s.text");
    assertHasAllRows("k.arrays.flushed");
  }

  @Test
  void dataFramesWriteEveryArray() {
    ArrayTable.create(KUDU.spark(), "k.arrays.frames");
    for (String operation : List.of("insert", "upsert", "update")) {
      sql("SELECT * FROM expected_arrays")
          .write()
          .format("kudu")
          .option("kudu.master", KUDU.masterAddresses())
          .option("kudu.table", "arrays.frames")
          .option("kudu.operation", operation)
          .mode(SaveMode.Append)
          .save();
      assertHasAllRows("k.arrays.frames");
    }
  }

  private static void assertHasAllRows(String table) {
    List<String> expected = texts("SELECT * FROM expected_arrays ORDER BY id");
    assertThat(expected).hasSize(ArrayTable.ROWS);
    assertThat(texts("SELECT * FROM " + table + " ORDER BY id")).isEqualTo(expected);
  }

  @Test
  void functionsOfSparkReadArrays() {
    String columns =
        "id, size(i32), array_contains(text, 'ab'), sort_array(at), try_element_at(d9, -1),"
            + " transform(bin, x -> hex(x)), array_max(f64), get(i64, 1), reverse(day), flatten(array(i8))";
    assertSameResult("SELECT " + columns + " FROM %s ORDER BY id");
    for (String column : ArrayTable.COLUMNS) {
      assertSameResult(
          "SELECT id, pos, x FROM %s LATERAL VIEW posexplode("
              + column
              + ") AS pos, x"
              + " ORDER BY id, pos");
    }
  }

  private static void assertSameResult(String query) {
    assertThat(texts(query.formatted(AS_LARGE)))
        .as(query)
        .isEqualTo(texts(query.formatted("expected_arrays")))
        .isNotEmpty();
  }

  // ---------------------------------------------------------------- push-down

  @Test
  void serversFindNullArrays() {
    for (String column : ArrayTable.COLUMNS) {
      String isNull = " WHERE " + column + " IS NULL ORDER BY id";
      assertThat(plan("SELECT id FROM " + AS_LARGE + isNull)).as(column).doesNotContain(FILTER);
      assertSameResult("SELECT id FROM %s" + isNull);
    }
    assertSameResult("SELECT id FROM %s WHERE bool IS NOT NULL AND bin IS NOT NULL ORDER BY id");
    assertThat(plan("SELECT id FROM " + AS_LARGE + " WHERE i32 IS NULL OR NOT text IS NULL"))
        .doesNotContain(FILTER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "i32 = array(0, 70000)",
        "i32 <=> NULL OR i32 <=> array()",
        "text < array('ab')",
        "text IN (array('a', 'ab'), array())",
        "bool <> array(true)",
        "d9 >= CAST(array(0, 0) AS ARRAY<DECIMAL(9, 2)>)",
        "i64 = i64",
        "at <= reverse(at)",
        "bin = reverse(bin)",
        "size(vc) = 2",
        "exists(i16, x -> x > 0) AND id > 10",
      })
  void sparkComparesArrays(String predicate) {
    assertSameResult("SELECT id FROM %s WHERE " + predicate + " OR id = 3 ORDER BY id");
    String query = "SELECT id FROM %s WHERE " + predicate + " ORDER BY id";
    assertThat(texts(query.formatted(TABLE))).isEqualTo(texts(query.formatted("expected_arrays")));
  }

  @Test
  void columnsOfArraysAreComparedBySpark() {
    sql("CREATE TABLE k.arrays.pairs (id INT, a ARRAY<INT>, b ARRAY<INT>, PRIMARY KEY (id))");
    sql(
        "INSERT INTO k.arrays.pairs VALUES (1, array(1), array(1)), (2, array(1), array(2)),"
            + " (3, NULL, NULL), (4, array(NULL), array(NULL))");
    String large = "k.arrays.pairs WITH (`kudu.runtimeFilters` = 'false')";
    String query = "SELECT id FROM " + large + " WHERE a = b ORDER BY id";
    assertThat(plan(query)).contains(FILTER);
    assertThat(texts(query)).containsExactly("[1]", "[4]");
    assertThat(texts("SELECT x.id, y.id FROM " + large + " x JOIN k.arrays.pairs y ON x.a = y.b"))
        .containsExactlyInAnyOrder("[1, 1]", "[2, 1]", "[4, 4]");
  }

  @Test
  void serversCountArraysAndSparkComputesTheOtherAggregates() {
    String counts =
        ArrayTable.COLUMNS.stream()
            .map(column -> "count(" + column + ")")
            .collect(Collectors.joining(", ", "SELECT ", " FROM %s"));
    assertSameResult(counts);
    assertThat(plan(counts.formatted(AS_LARGE))).contains("[count(bool), ");
    String extremes =
        ArrayTable.COLUMNS.stream()
            .map(column -> "min(%1$s), max(%1$s)".formatted(column))
            .collect(Collectors.joining(", ", "SELECT ", " FROM %s"));
    assertSameResult(extremes);
    assertThat(plan(extremes.formatted(AS_LARGE))).doesNotContain("all_types [min(");
    for (String column : List.of("i32", "f64", "d9", "text", "bin")) {
      String distinct = "SELECT count(DISTINCT " + column + ") FROM ";
      assertSameResult(distinct + "%s");
      assertThat(plan(distinct + AS_LARGE)).contains("kudu k.arrays.all_types [" + column + "]");
      assertSameResult(
          "SELECT size(c), n FROM (SELECT %1$s AS c, count(*) AS n FROM ".formatted(column)
              + "%s GROUP BY c) ORDER BY 1, 2");
      String first = "SELECT id, %1$s FROM ".formatted(column);
      assertSameResult(first + "%s ORDER BY " + column + " DESC, id LIMIT 7");
      assertThat(plan(first + AS_LARGE + " ORDER BY " + column + ", id LIMIT 7"))
          .doesNotContain("order by");
    }
  }

  @Test
  void samplesHaveArrays() {
    List<String> sample = texts("SELECT id, text FROM " + AS_LARGE + " TABLESAMPLE (30 PERCENT)");
    assertThat(texts("SELECT id, text FROM expected_arrays")).containsAll(sample);
    assertThat(sample).isNotEmpty();
  }

  @Test
  void analyzeSkipsArrays() {
    assertThat(texts("CALL k.system.analyze('arrays.all_types')"))
        .containsExactly("[id, 240, 0, 240, 0, 239]");
    assertThatThrownBy(() -> sql("CALL k.system.analyze('arrays.all_types', array('text'))"))
        .hasMessageContaining("cannot analyze column text: its arrays cannot be compared");
  }

  @Test
  void clientDoesNotCountDistinctArrays() throws Exception {
    KuduTable table = KUDU.client().openTable("arrays.all_types");
    assertThatThrownBy(() -> table.aggregate().countDistinct("n", "i32"))
        .hasMessage(
            "Cannot count the distinct values of i32: it has arrays, which cannot be compared");
    assertThatThrownBy(() -> table.aggregate().countDistinctApprox("n", "i32"))
        .hasMessageContaining("equal ones may have different bytes; use COUNT");
  }

  // ---------------------------------------------------------------- definitions

  @Test
  void columnsAreCreatedAddedAndDropped() throws Exception {
    sql(
        "CREATE TABLE k.arrays.defined (id BIGINT, a ARRAY<INT>, s ARRAY<VARCHAR(5)> NOT NULL,"
            + " d ARRAY<DECIMAL(9, 2)> COMMENT 'prices', PRIMARY KEY (id))");
    sql("INSERT INTO k.arrays.defined VALUES (1, array(1), array('x'), NULL)");
    sql("ALTER TABLE k.arrays.defined ADD COLUMN ts ARRAY<TIMESTAMP>");
    sql("ALTER TABLE k.arrays.defined DROP COLUMN a");
    sql("ALTER TABLE k.arrays.defined ADD COLUMN a ARRAY<STRING>");
    sql(
        "INSERT INTO k.arrays.defined (id, s, ts, a)"
            + " VALUES (2, array(), array(TIMESTAMP'2024-01-01 00:00:00Z'), array('y', NULL))");
    assertThat(texts("SELECT * FROM k.arrays.defined ORDER BY id"))
        .containsExactly(
            "[1, [x], null, null, null]", "[2, [], null, [2024-01-01 00:00:00.0], [y, null]]");
    assertThat(texts("DESCRIBE k.arrays.defined"))
        .contains(
            "[s, array<varchar(5)>, null]",
            "[d, array<decimal(9,2)>, prices]",
            "[ts, array<timestamp>, null]",
            "[a, array<string>, null]");
    for (StructField column : sql("SELECT s, d, ts FROM k.arrays.defined").schema().fields()) {
      assertThat(((ArrayType) column.dataType()).containsNull()).isTrue();
      assertThat(column.nullable()).isEqualTo(!column.name().equals("s"));
    }
    KuduTable table = KUDU.client().openTable("arrays.defined");
    ColumnSchema prices = table.getSchema().getColumn("d");
    assertThat(prices).hasToString("Column name: d, type: decimal(9, 2) 1D-ARRAY, comment: prices");

    assertThatThrownBy(() -> sql("INSERT INTO k.arrays.defined (id, s) VALUES (3, NULL)"))
        .hasStackTraceContaining("s");
    assertThatThrownBy(
            () -> sql("INSERT INTO k.arrays.defined (id, s) VALUES (3, array('a', 'abcdef'))"))
        .hasStackTraceContaining("5");
    assertThatThrownBy(() -> sql("ALTER TABLE k.arrays.defined ADD COLUMN z ARRAY<INT> NOT NULL"))
        .hasMessageContaining("the existing rows need a default");
  }

  @Test
  void arraysHaveNoDefault() {
    assertThatThrownBy(
            () ->
                sql(
                    "CREATE TABLE k.bad.t (a INT, b ARRAY<INT> DEFAULT array(1, 2),"
                        + " PRIMARY KEY (a))"))
        .hasStackTraceContaining("Column b, which is ARRAY<INT>, cannot have the default array(1")
        .hasStackTraceContaining("array columns have no default");
    sql("CREATE TABLE k.arrays.nulls (a INT, b ARRAY<INT> DEFAULT NULL, PRIMARY KEY (a))");
    assertThatThrownBy(() -> sql("ALTER TABLE k.arrays.nulls ALTER COLUMN b SET DEFAULT array()"))
        .hasStackTraceContaining("array columns have no default");
  }

  @Test
  void arraysAreNoKeys() {
    assertThatThrownBy(() -> sql("CREATE TABLE k.bad.t (a ARRAY<INT>, PRIMARY KEY (a))"))
        .hasStackTraceContaining("Array type column: a cannot be a key column");
  }

  // ---------------------------------------------------------------- writes

  @Test
  void elementsAreConvertedAndChecked() {
    sql(
        "CREATE TABLE k.arrays.checked (id INT, b ARRAY<TINYINT>, s ARRAY<SMALLINT>,"
            + " i ARRAY<INT>, l ARRAY<BIGINT>, x ARRAY<DOUBLE>, d ARRAY<DECIMAL(9, 2)>,"
            + " v ARRAY<VARCHAR(2)>, day ARRAY<DATE>, PRIMARY KEY (id))");
    write(
        "SELECT 1 AS id, array(1L, NULL) AS b, array(-300) AS s, array(5L) AS i, array(1Y) AS l,"
            + " array(FLOAT(1.5)) AS x, array(2.5BD, NULL) AS d, array('日本') AS v");
    assertThat(texts("SELECT * FROM k.arrays.checked"))
        .containsExactly("[1, [1, null], [-300], [5], [1], [1.5], [2.50, null], [日本], null]");
    refuse("array(1, 128) AS b", "128 is out of the range of column b, an int8");
    refuse("array(1.234BD) AS d", "1.234 does not fit column d, a DECIMAL(9, 2), without rounding");
    refuse("array('abc') AS v", "A text of 3 characters does not fit column v, which takes 2");
    refuse("array(date_add(DATE'9999-12-31', 1)) AS day", "of column day");
    refuse("array('x') AS i", "ARRAY<STRING> in the data, but of type array of INT32");
    refuse("7 AS i", "INT in the data, but of type array of INT32");
    refuse("array(repeat('x', 70000)) AS v", "column v");
  }

  private static void write(String query) {
    sql(query)
        .write()
        .format("kudu")
        .option("kudu.master", KUDU.masterAddresses())
        .option("kudu.table", "arrays.checked")
        .mode(SaveMode.Append)
        .save();
  }

  private static void refuse(String cell, String error) {
    assertThatThrownBy(() -> write("SELECT 2 AS id, " + cell)).hasStackTraceContaining(error);
  }
}
