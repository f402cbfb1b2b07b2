package dev.kudu4j.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.CompressionAlgorithm;
import dev.kudu4j.ColumnSchema.Encoding;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartitionSchema.HashBucketSchema;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Impala's statements, many of them from its documentation, on a cluster. */
class ImpalaStatementsTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static SparkSession session;

  /** A session of its own, like one of a JDBC client, with the cluster as the current catalog. */
  @BeforeAll
  static void openSession() {
    session = KUDU.spark().newSession();
    session.sql("CREATE NAMESPACE k.imp");
    session.sql("USE k.imp");
  }

  private static List<Row> sql(String text) {
    return session.sql(text).collectAsList();
  }

  private static KuduTable table(String name) throws Exception {
    return KUDU.client().openTable("imp." + name);
  }

  private static String text(String query) {
    return sql(query).stream().map(Row::toString).collect(Collectors.joining());
  }

  private static List<String> ranges(String name) throws Exception {
    return table(name).getFormattedRangePartitions(60_000);
  }

  private static void refuse(String statement, String... words) {
    assertThatThrownBy(() -> sql(statement)).as(statement).hasMessageContainingAll(words);
  }

  /** The message contains the position of the last {@code near}, in Spark's numbering. */
  private static void refuseAt(String near, String statement, String word) {
    int index = statement.lastIndexOf(near);
    assertThatThrownBy(() -> sql(statement))
        .as(statement)
        .hasMessageContaining(word)
        .message()
        .containsAnyOf("pos " + index + ")", "pos " + index + ";", "position " + (index + 1) + ")");
  }

  // ---------------------------------------------------------------- CREATE TABLE

  @Test
  void keyMayBeInline() throws Exception {
    sql(
        "CREATE TABLE pk_inline (col1 BIGINT PRIMARY KEY, col2 STRING, col3 BOOLEAN)"
            + " PARTITION BY HASH(col1) PARTITIONS 2 STORED AS KUDU");
    sql(
        "CREATE TABLE pk_at_end (col1 BIGINT, col2 STRING, col3 BOOLEAN, PRIMARY KEY (col1))"
            + " PARTITION BY HASH(col1) PARTITIONS 2 STORED AS KUDU");
    sql("CREATE TABLE IF NOT EXISTS pk_at_end (a INT PRIMARY KEY) STORED AS KUDU");
    for (String name : List.of("pk_inline", "pk_at_end")) {
      KuduTable table = table(name);
      assertThat(table.getSchema().getPrimaryKeyColumns())
          .extracting(ColumnSchema::getName)
          .containsExactly("col1");
      assertThat(table.getSchema().getColumn("col2").isNullable()).isTrue();
      assertThat(table.getPartitionSchema().getHashBucketSchemas())
          .extracting(HashBucketSchema::getNumBuckets)
          .containsExactly(2);
    }
  }

  @Test
  void attributesOfColumnsAreThoseOfTheStatement() throws Exception {
    KUDU.assumeSparkIsLaterThan41("DEFAULT NULL of VARCHAR");
    sql(
        """
        CREATE TABLE attributes (
          id BIGINT PRIMARY KEY ENCODING AUTO_ENCODING,
          b STRING NULL ENCODING DICT_ENCODING DEFAULT 'n/a' COMPRESSION SNAPPY,
          c DOUBLE ENCODING BIT_SHUFFLE COMMENT 'a sum',
          d STRING ENCODING PREFIX_ENCODING BLOCK_SIZE 1048576,
          e INT NOT NULL ENCODING RLE COMPRESSION DEFAULT DEFAULT -1,
          `value` VARCHAR(10) COMPRESSION NO_COMPRESSION DEFAULT NULL NULL)
        PARTITION BY HASH PARTITIONS 2 COMMENT 'all attributes'
        STORED AS KUDU TBLPROPERTIES ('kudu.num_tablet_replicas' = '1')
        """);
    KuduTable table = table("attributes");
    assertThat(table.getComment()).isEqualTo("all attributes");
    assertThat(table.getNumReplicas()).isEqualTo(1);
    ColumnSchema b = table.getSchema().getColumn("b");
    assertThat(b.getEncoding()).isEqualTo(Encoding.DICT_ENCODING);
    assertThat(b.getCompressionAlgorithm()).isEqualTo(CompressionAlgorithm.SNAPPY);
    assertThat(b.getDefaultValue()).isEqualTo("n/a");
    assertThat(table.getSchema().getColumn("c").getEncoding()).isEqualTo(Encoding.BIT_SHUFFLE);
    assertThat(table.getSchema().getColumn("c").getComment()).isEqualTo("a sum");
    assertThat(table.getSchema().getColumn("d").getDesiredBlockSize()).isEqualTo(1048576);
    ColumnSchema e = table.getSchema().getColumn("e");
    assertThat(e.isNullable()).isFalse();
    assertThat(e.getDefaultValue()).isEqualTo(-1);
    assertThat(e.getEncoding()).isEqualTo(Encoding.RLE);
    assertThat(table.getSchema().getColumn("value").getCompressionAlgorithm())
        .isEqualTo(CompressionAlgorithm.NO_COMPRESSION);
  }

  @Test
  void rangesHaveAllForms() throws Exception {
    sql(
        """
        CREATE TABLE million_rows (id STRING, s STRING, PRIMARY KEY (id)) PARTITION BY RANGE (
          PARTITION VALUES < 'a', PARTITION 'a' <= VALUES < '{', PARTITION VALUES = 'zz')
        STORED AS KUDU
        """
            .replace("VALUES = 'zz'", "'~' <= VALUES"));
    assertThat(ranges("million_rows"))
        .containsExactly("VALUES < \"a\"", "\"a\" <= VALUES < \"{\"", "VALUES >= \"~\"");
    sql(
        """
        CREATE TABLE t2 (s STRING, i INT, x BIGINT, PRIMARY KEY (s, i))
        PARTITION BY HASH (s) PARTITIONS 2, HASH (i) PARTITIONS 3, RANGE (i, s) (
          PARTITION (0, 'a') <= VALUES < (0 + 5, concat('b', '''')),
          PARTITION VALUE = (100, 'x'))
        STORED AS KUDU
        """);
    assertThat(ranges("t2"))
        .containsExactly("(0, \"a\") <= VALUES < (5, \"b'\")", "VALUE = (100, \"x\")");
    sql(
        """
        CREATE TABLE days (day DATE, at TIMESTAMP, n DECIMAL(9, 2), PRIMARY KEY (day, at, n))
        PARTITION BY RANGE (day, at, n) (
          PARTITION VALUES < (DATE '2020-01-01', CAST('2020-01-01' AS TIMESTAMP), 1.50),
          PARTITION ('2020-01-01' , '2020-01-01', 1.50) <= VALUES <= (date_add('2020-01-01', 1), now(), -7))
        STORED AS KUDU
        """);
    assertThat(ranges("days").get(0))
        .isEqualTo("VALUES < (2020-01-01, 2020-01-01T00:00:00.000000Z, 1.50)");
    assertThat(ranges("days").get(1)).contains("VALUES < (2020-01-02, ").contains(", -6.99)");
  }

  @Test
  void tableOfAQueryHasItsPartitions() throws Exception {
    sql(
        """
        CREATE TABLE ctas PRIMARY KEY (id, name)
          PARTITION BY HASH (name) PARTITIONS 2, RANGE (id) (PARTITION VALUES < 3, PARTITION 3 <= VALUES)
          COMMENT 'from a query' STORED AS KUDU TBLPROPERTIES ('num-replicas' = '1')
        AS WITH q AS (SELECT id FROM range(5)) SELECT id, 'row ' || id AS name, id * 2 AS twice FROM q;
        """);
    KuduTable table = table("ctas");
    assertThat(table.getComment()).isEqualTo("from a query");
    assertThat(table.getNumReplicas()).isEqualTo(1);
    assertThat(table.getSchema().getPrimaryKeyColumnCount()).isEqualTo(2);
    assertThat(table.getPartitionSchema().getHashBucketSchemas()).hasSize(1);
    assertThat(ranges("ctas")).containsExactly("VALUES < 3", "VALUES >= 3");
    assertThat(text("SELECT count(*), max(name), sum(twice) FROM ctas")).isEqualTo("[5,row 4,20]");
    refuse("CREATE TABLE ctas PRIMARY KEY (id) STORED AS KUDU AS SELECT 1 AS id", "ctas");
    sql("CREATE TABLE IF NOT EXISTS ctas PRIMARY KEY (id) STORED AS KUDU AS SELECT 9 AS id");
    assertThat(text("SELECT count(*) FROM ctas")).isEqualTo("[5]");
  }

  @Test
  void errorsHavePositions() {
    assertThatThrownBy(
            () ->
                sql(
                    "CREATE TABLE bad (id INT PRIMARY KEY, x INT)\n"
                        + "PARTITION BY RANGE (x) (PARTITION VALUES < 1) STORED AS KUDU"))
        .isInstanceOf(ParseException.class)
        .hasMessageContaining("near 'x': PARTITION BY RANGE (x): x is not a key column")
        .hasMessageContaining("(line 2, pos 20)");
    refuseAt(
        "NONSENSE",
        "CREATE TABLE bad (id INT PRIMARY KEY ENCODING RLE, x NONSENSE) STORED AS KUDU",
        "NONSENSE");
    refuseAt(
        "missing",
        "CREATE TABLE bad PRIMARY KEY (id) PARTITION BY HASH PARTITIONS 2 STORED AS KUDU"
            + " AS SELECT 1 AS id, missing",
        "`missing`");
    refuseAt(
        "nonsense",
        "CREATE TABLE bad (id INT PRIMARY KEY) PARTITION BY RANGE (PARTITION VALUES < nonsense(1))",
        "nonsense(1) is not a constant");
    refuse(
        "CREATE TABLE bad (id INT PRIMARY KEY) PARTITION BY RANGE (PARTITION VALUES < 'x')",
        "'x' is not a valid int32 for column id");
    refuse("CREATE TABLE bad (id INT PRIMARY KEY ENCODING x) STORED AS KUDU", "must be one of");
    refuse("CREATE TABLE bad (id INT) STORED AS KUDU", "needs a primary key");
  }

  // ---------------------------------------------------------------- writes

  @Test
  void upsertChangesTheColumnsItNames() {
    sql(
        "CREATE TABLE kudu_table (pk BIGINT PRIMARY KEY, c1 STRING, c2 BOOLEAN, c3 INT DEFAULT 7)"
            + " PARTITION BY HASH PARTITIONS 2 STORED AS KUDU");
    sql("UPSERT INTO kudu_table VALUES (0, 'hello', true, 1), (1, 'world', false, 2)");
    sql("UPSERT INTO TABLE kudu_table (pk, C1) VALUES (1, 'changed'), (2, 'new')");
    assertThat(text("SELECT * FROM kudu_table ORDER BY pk"))
        .isEqualTo("[0,hello,true,1][1,changed,false,2][2,new,null,7]");
    sql(
        "WITH q AS (SELECT pk + 1 AS pk, c1 FROM kudu_table WHERE pk > 0)"
            + " UPSERT INTO kudu_table (pk, c1) SELECT pk, c1 || '!' FROM q");
    assertThat(text("SELECT pk, c1, c3 FROM kudu_table ORDER BY pk"))
        .isEqualTo("[0,hello,1][1,changed,2][2,changed!,7][3,new!,7]");
    sql("UPSERT INTO kudu_table SELECT pk, c1, c2, null FROM kudu_table WHERE pk = 1");
    assertThat(text("SELECT c3 FROM kudu_table WHERE pk = 1")).isEqualTo("[null]");
    assertThat(text("EXPLAIN UPSERT INTO kudu_table (pk) VALUES (77)")).contains("AppendData");
    assertThat(text("SELECT count(*) FROM kudu_table WHERE pk = 77")).isEqualTo("[0]");
    refuseAt("missing", "UPSERT INTO kudu_table SELECT missing FROM kudu_table", "`missing`");
    refuse("UPSERT INTO kudu_table (pk, nonsense) VALUES (1, 2)", "nonsense");
    refuse("UPSERT INTO no_such_table VALUES (1)", "no_such_table");
  }

  @Test
  void insertIgnoreKeepsRows() {
    sql("CREATE TABLE kept (id INT PRIMARY KEY, v STRING) STORED AS KUDU");
    sql("INSERT INTO kept VALUES (1, 'old')");
    sql("INSERT IGNORE INTO kept (id, v) VALUES (1, 'new'), (2, 'two')");
    assertThat(text("SELECT * FROM kept ORDER BY id")).isEqualTo("[1,old][2,two]");
    sql("EXPLAIN INSERT IGNORE INTO kept VALUES (3, 'x')");
    assertThat(text("SELECT count(*) FROM kept")).isEqualTo("[2]");
  }

  @Test
  void statementsMayHaveParameters() {
    sql("CREATE TABLE parameters (id INT PRIMARY KEY, v STRING) STORED AS KUDU");
    session.sql("UPSERT INTO parameters VALUES (:id, :v)", Map.of("id", 5, "v", "five"));
    session.sql("UPSERT INTO parameters VALUES (?, ?)", new Object[] {6, "six"});
    assertThat(text("SELECT * FROM parameters ORDER BY id")).isEqualTo("[5,five][6,six]");
  }

  @Test
  void writesMayNameTheTableByIdentifier() {
    KUDU.assumeSparkIsLaterThan41("IDENTIFIER in writes of other operations");
    sql("CREATE TABLE named (id INT PRIMARY KEY, v STRING, w INT DEFAULT 7) STORED AS KUDU");
    sql("INSERT INTO named VALUES (1, 'one', 1)");
    sql("UPSERT INTO IDENTIFIER('named') VALUES (1, 'changed', 2), (2, 'two', 2)");
    assertThat(text("SELECT * FROM named ORDER BY id")).isEqualTo("[1,changed,2][2,two,2]");
    sql("UPSERT INTO TABLE IDENTIFIER('k.imp.named') (v, id) VALUES ('again', 1), ('three', 3)");
    assertThat(text("SELECT * FROM named ORDER BY id"))
        .isEqualTo("[1,again,2][2,two,2][3,three,7]");
    sql("INSERT IGNORE INTO IDENTIFIER('imp.named') VALUES (1, 'no', 0), (4, 'four', 4)");
    sql("INSERT IGNORE INTO IDENTIFIER('named') (id, v) VALUES (2, 'no'), (5, 'five')");
    assertThat(text("SELECT * FROM named ORDER BY id"))
        .isEqualTo("[1,again,2][2,two,2][3,three,7][4,four,4][5,five,7]");
  }

  @Test
  void identifiersMayBeExpressionsAndParameters() {
    KUDU.assumeSparkIsLaterThan41("IDENTIFIER in writes of other operations");
    sql("CREATE TABLE computed (id INT PRIMARY KEY, v STRING, w INT DEFAULT 7) STORED AS KUDU");
    sql("INSERT INTO computed VALUES (1, 'one', 1)");
    session.sql(
        "UPSERT INTO IDENTIFIER(:t) (id, v) VALUES (1, :v)",
        Map.of("t", "k.imp.computed", "v", "changed"));
    assertThat(text("SELECT * FROM computed")).isEqualTo("[1,changed,1]");
    sql("UPSERT INTO IDENTIFIER('k.imp.' || 'computed') (id, v) VALUES (1, 'again'), (2, 'two')");
    sql("INSERT IGNORE INTO IDENTIFIER('comp' || 'uted') VALUES (1, 'no', 0), (3, 'three', 3)");
    sql(
        "WITH q AS (SELECT id, v || '!' AS v FROM IDENTIFIER('comp' || 'uted') WHERE id = 2)"
            + " UPSERT INTO IDENTIFIER('comp' || 'uted') (id, v) SELECT * FROM q");
    assertThat(text("SELECT * FROM computed ORDER BY id"))
        .isEqualTo("[1,again,1][2,two!,7][3,three,3]");
    sql("EXPLAIN UPSERT INTO IDENTIFIER('comp' || 'uted') VALUES (9, 'nine', 9)");
    assertThat(text("SELECT count(*) FROM computed")).isEqualTo("[3]");
    refuse("UPSERT INTO IDENTIFIER('no_such_' || 'table') VALUES (1)", "no_such_table");
  }

  /** Otherwise the other catalog would get an INSERT. */
  @Test
  void identifiersOfOtherCatalogsAreRefused() {
    SparkSession other = KUDU.spark().newSession();
    other.sql("CREATE TABLE parquet_written (a INT) USING parquet");
    try {
      for (String name :
          List.of(
              "'spark_catalog.default.parquet_written'",
              "'spark_catalog.'" + " || 'default.parquet_written'")) {
        refuse("UPSERT INTO IDENTIFIER(" + name + ") VALUES (1)", "UPSERT", "parquet_written");
        refuse(
            "INSERT IGNORE INTO IDENTIFIER(" + name + ") VALUES (1)",
            "INSERT IGNORE",
            "parquet_written");
      }
      assertThat(other.sql("SELECT * FROM parquet_written").collectAsList()).isEmpty();
    } finally {
      other.sql("DROP TABLE parquet_written");
    }
  }

  @Test
  void columnsMayBeMatchedByName() {
    sql("CREATE TABLE by_name (id INT PRIMARY KEY, v STRING, w INT DEFAULT 7) STORED AS KUDU");
    sql("INSERT INTO by_name VALUES (1, 'one', 1)");
    String rows = " BY NAME SELECT 'new' AS v, id FROM VALUES (1), (2) AS t (id)";
    sql("INSERT IGNORE INTO by_name" + rows);
    assertThat(text("SELECT * FROM by_name ORDER BY id")).isEqualTo("[1,one,1][2,new,7]");
    KUDU.assumeSparkIsLaterThan41("IDENTIFIER in writes of other operations");
    sql("INSERT IGNORE INTO IDENTIFIER('by_' || 'name')" + rows.replace("(1)", "(3)"));
    assertThat(text("SELECT * FROM by_name ORDER BY id")).isEqualTo("[1,one,1][2,new,7][3,new,7]");
    for (String name : List.of("by_name", "IDENTIFIER('by_name')", "IDENTIFIER('by_' || 'name')")) {
      refuse("UPSERT INTO " + name + rows, "BY NAME is not supported; list the columns");
    }
    refuse("UPSERT INTO by_name (id, v) BY NAME SELECT 1 AS id, 'x' AS v", "BY");
    assertThat(text("SELECT v FROM by_name WHERE id = 1")).isEqualTo("[one]");
  }

  @Test
  void namesOfColumnsMayHaveCommasAndBackquotes() throws Exception {
    sql(
        "CREATE TABLE odd_names (`a,b` INT, `c``d` INT, `e, f` STRING, `g``h,` STRING, plain STRING,"
            + " PRIMARY KEY (`a,b`, `c``d`)) PARTITION BY HASH (`a,b`) PARTITIONS 2,"
            + " RANGE (`c``d`, `a,b`) (PARTITION VALUES < (10, 0), PARTITION (10, 0) <= VALUES)"
            + " STORED AS KUDU");
    sql("UPSERT INTO odd_names VALUES (1, 2, 'ef', 'gh', 'p')");
    sql("UPSERT INTO odd_names (`g``h,`, `c``d`, `a,b`) VALUES ('changed', 2, 1), ('new', 20, 1)");
    sql("UPSERT INTO odd_names (`e, f`, `a,b`, `c``d`) VALUES ('EF', 1, 2)");
    assertThat(text("SELECT * FROM odd_names ORDER BY `c``d`"))
        .isEqualTo("[1,2,EF,changed,p][1,20,null,new,null]");
    sql(
        "INSERT INTO odd_names WITH (`kudu.writtenColumns` = 'plain, `e, f`')"
            + " VALUES (1, 2, '', 'gone', 'q')");
    assertThat(text("SELECT * FROM odd_names WHERE `c``d` = 2")).isEqualTo("[1,2,,changed,q]");
    String create = text("SHOW CREATE TABLE odd_names");
    sql(create.substring(1, create.length() - 1).replace("odd_names", "odd_names_2"));
    KuduTable copy = table("odd_names_2");
    assertThat(copy.getSchema().getPrimaryKeyColumns())
        .extracting(ColumnSchema::getName)
        .containsExactly("a,b", "c`d");
    assertThat(ranges("odd_names_2")).isEqualTo(ranges("odd_names")).hasSize(2);
    sql(
        "CREATE TABLE odd_key PRIMARY KEY (`a,b`, `c``d`) PARTITION BY HASH PARTITIONS 2"
            + " STORED AS KUDU AS SELECT `a,b`, `c``d`, plain FROM odd_names");
    assertThat(table("odd_key").getSchema().getPrimaryKeyColumns())
        .extracting(ColumnSchema::getName)
        .containsExactly("a,b", "c`d");
    assertThat(text("SELECT count(*) FROM odd_key")).isEqualTo("[2]");
    sql(
        "CREATE TABLE odd_property (`a,b` INT NOT NULL, id INT NOT NULL)"
            + " TBLPROPERTIES ('primary-key' = '`a,b`,id')");
    assertThat(table("odd_property").getSchema().getPrimaryKeyColumnCount()).isEqualTo(2);
    refuse(
        "CREATE TABLE odd_property_2 (a INT NOT NULL) TBLPROPERTIES ('primary-key' = '`a')",
        "Property primary-key",
        "`a",
        "backquote");
  }

  @Test
  void writtenColumnsAreChecked() {
    sql("CREATE TABLE some_columns (id INT PRIMARY KEY, a INT, b INT) STORED AS KUDU");
    sql("INSERT INTO some_columns VALUES (1, 1, 1)");
    sql("INSERT INTO some_columns WITH (`kudu.writtenColumns` = 'B') VALUES (1, 2, 2)");
    assertThat(text("SELECT * FROM some_columns")).isEqualTo("[1,1,2]");
    refuse(
        "INSERT INTO some_columns WITH (`kudu.writtenColumns` = 'c') VALUES (1, 2, 2)",
        "has no column c");
  }

  // ---------------------------------------------------------------- ranges

  @Test
  void rangesAreAddedAndDropped() throws Exception {
    sql(
        "CREATE TABLE t3 (id INT PRIMARY KEY, v INT) PARTITION BY RANGE"
            + " (PARTITION 0 <= VALUES < 10) STORED AS KUDU");
    sql("ALTER TABLE t3 ADD RANGE PARTITION 10 <= VALUES < 2 * 10");
    sql("ALTER TABLE k.imp.t3 ADD RANGE PARTITION VALUE = 77");
    assertThat(ranges("t3")).containsExactly("0 <= VALUES < 10", "10 <= VALUES < 20", "VALUE = 77");
    refuse("ALTER TABLE t3 ADD RANGE PARTITION VALUE = 77", "already exists");
    sql("ALTER TABLE t3 ADD IF NOT EXISTS RANGE PARTITION 76 < VALUES <= 77");
    refuse("ALTER TABLE t3 ADD IF NOT EXISTS RANGE PARTITION 5 <= VALUES < 15", "conflicts");
    sql("ALTER TABLE t3 ADD IF NOT EXISTS RANGE PARTITION 100 <= VALUES");
    sql("ALTER TABLE t3 DROP RANGE PARTITION 0 <= VALUES < 10");
    refuse("ALTER TABLE t3 DROP RANGE PARTITION 0 <= VALUES < 10", "no range partition");
    sql("ALTER TABLE t3 DROP IF EXISTS RANGE PARTITION 0 <= VALUES < 10");
    sql("ALTER TABLE t3 DROP IF EXISTS RANGE PARTITION VALUE = 77");
    assertThat(ranges("t3")).containsExactly("10 <= VALUES < 20", "VALUES >= 100");
  }

  // ---------------------------------------------------------------- SHOW

  @Test
  void partitionsAreShown() {
    sql(
        "CREATE TABLE shown (id INT, name STRING, PRIMARY KEY (id, name)) PARTITION BY"
            + " HASH (name) PARTITIONS 2, RANGE (id) (PARTITION VALUES < 0, PARTITION 0 <= VALUES < 9)"
            + " STORED AS KUDU TBLPROPERTIES ('num-replicas' = '1')");
    assertThat(session.sql("SHOW PARTITIONS shown").columns())
        .containsExactly(
            "Tablet",
            "Hash Partition",
            "Range Partition",
            "Start Key",
            "Stop Key",
            "Leader Replica",
            "#Replicas");
    assertThat(sql("SHOW PARTITIONS shown"))
        .extracting(row -> row.getString(1) + " " + row.getString(2) + " " + row.getInt(6))
        .containsExactly(
            "HASH (name) PARTITION 0 VALUES < 0 1",
            "HASH (name) PARTITION 0 0 <= VALUES < 9 1",
            "HASH (name) PARTITION 1 VALUES < 0 1",
            "HASH (name) PARTITION 1 0 <= VALUES < 9 1");
    assertThat(sql("SHOW PARTITIONS shown"))
        .allSatisfy(
            row -> {
              assertThat(row.getString(0)).matches("[0-9a-f]{32}");
              assertThat(row.getString(5)).matches("127\\.[0-9.]+:\\d+");
            });
    assertThat(sql("SHOW PARTITIONS k.imp.shown").get(1).getString(3))
        .isEqualTo("0000000080000000");
    assertThat(session.sql("SHOW RANGE PARTITIONS shown").columns()).containsExactly("RANGE (id)");
    assertThat(text("SHOW RANGE PARTITIONS shown")).isEqualTo("[VALUES < 0][0 <= VALUES < 9]");
    assertThat(
            text(
                "SELECT count(DISTINCT Tablet), count(*) FROM `shown$partitions`"
                    + " WHERE `Range Partition` = 'VALUES < 0'"))
        .isEqualTo("[2,2]");

    sql("CREATE TABLE one_tablet (id INT PRIMARY KEY) STORED AS KUDU");
    assertThat(sql("SHOW PARTITIONS one_tablet"))
        .extracting(row -> Arrays.asList(row.get(1), row.get(2), row.get(3), row.get(4)))
        .containsExactly(List.of("", "", "", ""));
    refuse("SHOW RANGE PARTITIONS one_tablet", "has no range partitions", "SHOW PARTITIONS");
    refuse("SHOW PARTITIONS missing_table", "missing_table");
  }

  // ---------------------------------------------------------------- hash schemas of single ranges

  @Test
  void rangesMayHaveHashSchemasOfTheirOwn() throws Exception {
    sql(
        """
        CREATE TABLE t1 (id INT, c2 INT, PRIMARY KEY (id, c2))
        PARTITION BY HASH(id) PARTITIONS 3 HASH(c2) PARTITIONS 4
        RANGE (c2) (
          PARTITION 0 <= VALUES < 10
          PARTITION 10 <= VALUES < 20 HASH(id) PARTITIONS 2 HASH(C2) PARTITIONS 3
          PARTITION 20 <= VALUES < 30)
        STORED AS KUDU TBLPROPERTIES ('num-replicas' = '1')
        """);
    sql(
        "ALTER TABLE t1 ADD RANGE PARTITION 30 <= VALUES < 40 HASH (id) PARTITIONS 2 HASH (c2) PARTITIONS 2");
    sql(
        "ALTER TABLE t1 ADD IF NOT EXISTS RANGE PARTITION 30 <= VALUES < 40 HASH (id) PARTITIONS 5 HASH (c2) PARTITIONS 2");
    sql("ALTER TABLE t1 ADD RANGE PARTITION VALUES < 0");
    assertThat(session.sql("SHOW HASH SCHEMA t1").columns())
        .containsExactly("RANGE (c2) HASH SCHEMA");
    String shown =
        "[VALUES < 0 HASH(id) PARTITIONS 3 HASH(c2) PARTITIONS 4]"
            + "[0 <= VALUES < 10 HASH(id) PARTITIONS 3 HASH(c2) PARTITIONS 4]"
            + "[10 <= VALUES < 20 HASH(id) PARTITIONS 2 HASH(c2) PARTITIONS 3]"
            + "[20 <= VALUES < 30 HASH(id) PARTITIONS 3 HASH(c2) PARTITIONS 4]"
            + "[30 <= VALUES < 40 HASH(id) PARTITIONS 2 HASH(c2) PARTITIONS 2]";
    assertThat(text("SHOW HASH SCHEMA t1")).isEqualTo(shown);
    assertThat(sql("SHOW PARTITIONS t1")).hasSize(3 * 12 + 6 + 4);
    assertThat(text("SHOW RANGE PARTITIONS t1")).doesNotContain("HASH");

    sql("INSERT INTO t1 SELECT CAST(id AS INT), CAST(id % 40 AS INT) FROM range(400)");
    for (int id : new int[] {5, 15, 25, 35, 395}) {
      assertThat(text("SELECT c2 FROM t1 WHERE id = " + id + " AND c2 = " + id % 40))
          .isEqualTo("[" + id % 40 + "]");
    }
    assertThat(text("SELECT count(*), count(DISTINCT id) FROM t1")).isEqualTo("[400,400]");

    sql(sql("SHOW CREATE TABLE k.imp.t1").get(0).getString(0).replace("imp.t1", "imp.t1_again"));
    assertThat(text("SHOW HASH SCHEMA t1_again")).isEqualTo(shown);
    sql("ALTER TABLE t1 DROP RANGE PARTITION 10 <= VALUES < 20");
    assertThat(text("SHOW HASH SCHEMA t1")).doesNotContain("10 <= VALUES < 20");
  }

  @Test
  void hashSchemasMayUseOddNamesAndTheWholeKey() {
    sql(
        "CREATE TABLE odd_hash (`a,b` INT, `c d` STRING, PRIMARY KEY (`a,b`, `c d`))"
            + " PARTITION BY HASH (`c d`) PARTITIONS 2, RANGE (`a,b`) (PARTITION VALUES < 5"
            + " HASH (`c d`, `a,b`) PARTITIONS 3, PARTITION VALUE = 7 HASH PARTITIONS 4,"
            + " PARTITION hash(1) + 2000000000 <= VALUES) STORED AS KUDU TBLPROPERTIES ('num-replicas' = '1')");
    String shown = text("SHOW HASH SCHEMA odd_hash");
    assertThat(shown)
        .contains("VALUES < 5 HASH(a,b, c d) PARTITIONS 3]")
        .contains("VALUE = 7 HASH(a,b, c d) PARTITIONS 4]")
        .contains("HASH(c d) PARTITIONS 2]");
    sql(
        sql("SHOW CREATE TABLE k.imp.odd_hash")
            .get(0)
            .getString(0)
            .replace("imp.odd_hash", "imp.odd_hash_again"));
    assertThat(text("SHOW HASH SCHEMA odd_hash_again")).isEqualTo(shown);
    sql("ALTER TABLE odd_hash ADD RANGE PARTITION VALUE = 6 HASH PARTITIONS 2");
    assertThat(text("SHOW HASH SCHEMA odd_hash"))
        .contains("VALUE = 6 HASH(a,b, c d) PARTITIONS 2]");
  }

  @Test
  void wrongHashSchemasOfRangesAreRefused() {
    sql(
        "CREATE TABLE hashed_ranges (id INT, v INT, PRIMARY KEY (id)) PARTITION BY HASH (id)"
            + " PARTITIONS 2, RANGE (id) (PARTITION VALUES < 0) STORED AS KUDU");
    refuse(
        "ALTER TABLE hashed_ranges ADD RANGE PARTITION VALUE = 1 HASH (v) PARTITIONS 2",
        "'v' in HASH is not a column of the primary key");
    refuse(
        "ALTER TABLE hashed_ranges DROP RANGE PARTITION VALUES < 0 HASH (id) PARTITIONS 2", "HASH");
    refuse(
        "ALTER TABLE hashed_ranges SET TBLPROPERTIES ('drop-range-partitions' = 'VALUES < 0 HASH (id)"
            + " PARTITIONS 2')",
        "cannot drop a range with HASH",
        "only the bounds");
    refuse(
        "ALTER TABLE hashed_ranges ADD RANGE PARTITION VALUE = 1 HASH (id) PARTITIONS 1",
        "at least two");
    refuseAt(
        "v) PARTITIONS",
        "CREATE TABLE bad (id INT, v INT, PRIMARY KEY (id)) PARTITION BY HASH (id) PARTITIONS 2,"
            + " RANGE (id) (PARTITION VALUES < 0 HASH (v) PARTITIONS 2) STORED AS KUDU",
        "v is not a key column");
    sql("CREATE TABLE no_ranges (id INT PRIMARY KEY) STORED AS KUDU");
    refuse("SHOW HASH SCHEMA no_ranges", "has no range partitions");
  }

  @Test
  void boundsMustNotContainQueries() {
    refuse(
        "CREATE TABLE queried (id INT PRIMARY KEY) PARTITION BY RANGE (id) (PARTITION VALUES <"
            + " (SELECT max(id) FROM k.imp.missing_table)) STORED AS KUDU",
        "it contains a subquery",
        "write its result");
    refuse(
        "CREATE TABLE queried (id INT PRIMARY KEY) PARTITION BY RANGE (id) (PARTITION VALUES <"
            + " (1 + if(EXISTS (SELECT 1), 1, 2))) STORED AS KUDU",
        "it contains a subquery");
  }

  // ---------------------------------------------------------------- other catalogs

  @Test
  void tablesOfOtherCatalogsAreSparks() {
    SparkSession other = KUDU.spark().newSession();
    String upsert = "UPSERT INTO spark_catalog.default.t VALUES (1)";
    assertThatThrownBy(() -> other.sql(upsert)).hasMessageContaining("near 'UPSERT'");
    assertThatThrownBy(() -> other.sql("UPSERT INTO t VALUES (1)"))
        .hasMessageContaining("near 'UPSERT'");
    assertThatThrownBy(
            () -> other.sql("CREATE TABLE t (id INT) PARTITION BY HASH (id) STORED AS KUDU"))
        .hasMessageContaining("near 'PARTITION'");
    other.sql("CREATE TABLE parquet_parts (a INT, p INT) USING parquet PARTITIONED BY (p)");
    try {
      other.sql("INSERT INTO parquet_parts VALUES (1, 2)");
      assertThat(other.sql("SHOW PARTITIONS parquet_parts").collectAsList())
          .extracting(Row::toString)
          .containsExactly("[p=2]");
      assertThat(sql("SHOW PARTITIONS spark_catalog.default.parquet_parts")).hasSize(1);
    } finally {
      other.sql("DROP TABLE parquet_parts");
    }
  }
}
