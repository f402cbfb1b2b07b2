package dev.kudu4j.spark.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Which strings are statements of Impala, how they are translated for Spark, and the messages for
 * invalid statements.
 */
class StatementTest {
  private static final ConstantEvaluator NONE =
      expression -> {
        throw new IllegalArgumentException("unexpected evaluation of " + expression);
      };

  private static Translation translation(String text) {
    return Statement.find(text).orElseThrow().translate(NONE);
  }

  private static String translated(String text) {
    return ((Translation.Text) translation(text)).text();
  }

  private static List<String> table(String text) {
    return Statement.find(text).orElseThrow().table();
  }

  private static void isSparks(String text) {
    assertThat(Statement.find(text)).as(text).isEmpty();
  }

  /** Asserts that the translation fails at the position of the text {@code near}. */
  private static void refuse(String text, String near, String... words) {
    assertThatThrownBy(() -> translation(text))
        .as(text)
        .isInstanceOfSatisfying(
            SqlException.class,
            e -> {
              assertThat(List.of(words)).allMatch(e.getMessage()::contains);
              assertThat(e.line()).isEqualTo(1);
              assertThat(e.near()).isEqualTo(near);
              if (!near.equals("end of input")) {
                String quoted = near.substring(1, near.length() - 1);
                assertThat(text.substring(e.column())).startsWith(quoted);
              }
            });
  }

  // ---------------------------------------------------------------- recognition

  @Test
  void statementsOfSparkAreNotTranslated() {
    isSparks("SELECT 1");
    isSparks("");
    isSparks("-- only a comment");
    isSparks("CREATE TABLE k.t (a INT, PRIMARY KEY (a)) PARTITIONED BY (bucket(2, a))");
    isSparks("CREATE TABLE t STORED AS PARQUET AS SELECT 1 AS a");
    isSparks("CREATE TABLE t AS SELECT row_number() OVER (PARTITION BY a ORDER BY b) FROM u");
    isSparks("CREATE TABLE t AS SELECT 'STORED AS KUDU' AS a");
    isSparks("CREATE TABLE IDENTIFIER('k.t') (a INT) USING kudu");
    isSparks("CREATE VIEW v AS SELECT 1");
    isSparks("INSERT INTO k.t SELECT 1");
    isSparks("INSERT OVERWRITE k.t SELECT 1");
    isSparks("INSERT INTO ignore VALUES (1)");
    isSparks("WITH upsert AS (SELECT 1) SELECT * FROM upsert");
    isSparks("WITH q AS (SELECT 1) INSERT INTO k.t SELECT * FROM q");
    isSparks("EXPLAIN SELECT 1");
    isSparks("ALTER TABLE k.t ADD COLUMN range INT");
    isSparks("ALTER TABLE k.t ADD PARTITION (a = 1)");
    isSparks("ALTER TABLE k.t SET TBLPROPERTIES ('add-range-partitions' = 'VALUES < 1')");
    isSparks("SHOW TABLES");
    isSparks("SHOW CREATE TABLE k.t");
    isSparks("SHOW SCHEMAS");
    isSparks("UPSERT k.t VALUES (1)");
    isSparks("CREATE TABLE 7 STORED AS KUDU");
  }

  @Test
  void namesAreRead() {
    assertThat(table("UPSERT INTO t SELECT 1")).containsExactly("t");
    assertThat(table("upsert into table k.db.t (a) values (1)")).containsExactly("k", "db", "t");
    assertThat(table("INSERT IGNORE INTO k.`a ``b`.t SELECT 1")).containsExactly("k", "a `b", "t");
    assertThat(table("/* c */ SHOW -- d\n PARTITIONS k.t;")).containsExactly("k", "t");
    assertThat(table("SHOW RANGE PARTITIONS value.key")).containsExactly("value", "key");
    assertThat(table("SHOW HASH SCHEMA schema.hash")).containsExactly("schema", "hash");
    assertThat(table("ALTER TABLE k.t DROP IF EXISTS RANGE PARTITION VALUE = 1"))
        .containsExactly("k", "t");
    assertThat(table("CREATE TABLE IF NOT EXISTS k.t (a INT PRIMARY KEY) STORED AS KUDU"))
        .containsExactly("k", "t");
    assertThat(table("WITH q AS (SELECT 1) UPSERT INTO k.t SELECT * FROM q"))
        .containsExactly("k", "t");
    assertThat(table("EXPLAIN EXTENDED INSERT IGNORE INTO k.t SELECT 1")).containsExactly("k", "t");
  }

  // ---------------------------------------------------------------- CREATE TABLE

  @Test
  void attributesAndPartitionsBecomeProperties() {
    String text =
        """
        CREATE TABLE k.t (
          id BIGINT NOT NULL ENCODING BIT_SHUFFLE,
          at TIMESTAMP COMPRESSION lz4 COMMENT 'when',
          name STRING NULL DEFAULT concat('a', 'b') BLOCK_SIZE 4096,
          PRIMARY KEY (id, at))
        PARTITION BY HASH (id) PARTITIONS 4, RANGE (at) (
          PARTITION VALUES < '2020-01-01',
          PARTITION '2020-01-01' <= VALUES < '2021-01-01')
        COMMENT 'a table' STORED AS KUDU;
        """;
    assertThat(translated(text))
        .isEqualToIgnoringWhitespace(
            """
            CREATE TABLE k.t (
              id BIGINT NOT NULL,
              at TIMESTAMP COMMENT 'when',
              name STRING DEFAULT concat('a', 'b'),
              PRIMARY KEY (id, at))
            PARTITIONED BY (bucket(4, `id`)) COMMENT 'a table'
            TBLPROPERTIES ('column.id.encoding' = 'BIT_SHUFFLE', 'column.at.compression' = 'lz4',
              'column.name.block-size' = '4096', 'range-columns' = 'at',
              'range-partitions' = 'VALUES < \\'2020-01-01\\'; \\'2020-01-01\\' <= VALUES < \\'2021-01-01\\'');
            """);
    assertThat(translated(text).indexOf("name STRING")).isEqualTo(text.indexOf("name STRING"));
  }

  @Test
  void partitionsWithoutColumnsUseTheKey() {
    assertThat(
            translated(
                "CREATE TABLE k.t (a INT, b STRING, c INT, PRIMARY KEY (a, b))"
                    + " PARTITION BY HASH PARTITIONS 3, HASH (B) PARTITIONS 2,"
                    + " RANGE (PARTITION (1, 'x') < VALUES <= (2, 'y'), PARTITION VALUE = (5, ''))"
                    + " STORED AS KUDU"))
        .contains("PARTITIONED BY (bucket(3, `a`, `b`), bucket(2, `b`))")
        .contains("'range-columns' = 'a, b'")
        .contains("'(1, \\'x\\') < VALUES <= (2, \\'y\\'); VALUE = (5, \\'\\')'");
    assertThat(translated("CREATE TABLE k.t (id INT PRIMARY KEY) PARTITION BY HASH PARTITIONS 2"))
        .contains("id INT PRIMARY KEY")
        .contains("bucket(2, `id`)");
  }

  @Test
  void propertiesAreAddedToThoseThatAreThere() {
    assertThat(
            translated(
                "CREATE TABLE k.t (id INT PRIMARY KEY ENCODING 'RLE') STORED AS KUDU"
                        .replace("'", "")
                    + " TBLPROPERTIES ('kudu.num_tablet_replicas' = '1')"))
        .isEqualToIgnoringWhitespace(
            "CREATE TABLE k.t (id INT PRIMARY KEY) TBLPROPERTIES ("
                + "'column.id.encoding' = 'RLE', 'num-replicas' = '1')");
    assertThat(translated("CREATE TABLE k.t (id INT PRIMARY KEY) STORED AS KUDU"))
        .isEqualToIgnoringWhitespace("CREATE TABLE k.t (id INT PRIMARY KEY)");
  }

  @Test
  void queryKeepsItsPosition() {
    String text =
        "CREATE TABLE k.t PRIMARY KEY (id, `a b`) PARTITION BY HASH (id) PARTITIONS 2"
            + " STORED AS KUDU TBLPROPERTIES ('kudu.table.x' = '1') AS SELECT id FROM u;";
    var create = (Translation.CreateAsSelect) translation(text);
    assertThat(create.text()).hasSameSizeAs(text).contains("AS SELECT id FROM u");
    assertThat(create.text().indexOf("SELECT")).isEqualTo(text.indexOf("SELECT"));
    assertThat(create.text()).doesNotContain("PRIMARY", "PARTITION", "STORED");
    assertThat(create.definition())
        .isEqualToIgnoringWhitespace(
            "CREATE TABLE k.t PARTITIONED BY (bucket(2, `id`))"
                + " TBLPROPERTIES ('primary-key' = 'id, a b', 'kudu.table.x' = '1')");
  }

  @Test
  void positionsCountCodePoints() {
    assertThat(
            translated(
                "CREATE TABLE k.t (`🙂` INT PRIMARY KEY ENCODING RLE COMMENT '🙂')"
                    + " STORED AS KUDU"))
        .isEqualToIgnoringWhitespace(
            "CREATE TABLE k.t (`🙂` INT PRIMARY KEY COMMENT '🙂')"
                + " TBLPROPERTIES ('column.🙂.encoding' = 'RLE')");
  }

  @Test
  void wrongTablesAreRefusedAtTheirPosition() {
    String key = "CREATE TABLE k.t (id INT PRIMARY KEY, x INT) PARTITION BY ";
    refuse(key + "HASH (id) PARTITONS 4", "'PARTITONS'", "PARTITIONS is expected");
    refuse(key + "HASH (id)", "end of input", "PARTITIONS is expected");
    refuse(key + "HASH (id) PARTITIONS many", "'many'", "a number is expected");
    refuse(key + "HASH (x) PARTITIONS 2", "'x'", "PARTITION BY HASH (x): x is not a key column");
    refuse(
        key + "RANGE (x) (PARTITION VALUES < 1) STORED AS KUDU",
        "'x'",
        "PARTITION BY RANGE (x): x is not a key column; the key is id");
    refuse(
        key + "RANGE (id) (PARTITION VALUES < 1), RANGE (id) (PARTITION 1 <= VALUES)",
        "'RANGE'",
        "two RANGE clauses");
    refuse(key + "RANGE (id) () STORED AS KUDU", "')'", "PARTITION is expected");
    refuse(key + "RANGE (id) (PARTITION 1 < 2)", "'2'", "VALUES is expected");
    refuse(key + "RANGE (id) (PARTITION VALUES > 2)", "'>'");
    refuse(key + "HASH (id) PARTITIONS 2 STORED AS PARQUET", "'PARQUET'", "KUDU is expected");
    refuse(key + "HASH (id) PARTITIONS 2 LOCATION 'x'", "'LOCATION'");
    refuse(
        "CREATE TABLE k.t (id INT) PARTITION BY HASH PARTITIONS 2",
        "'HASH'",
        "PARTITION BY HASH has no columns",
        "PRIMARY KEY");
    refuse(
        "CREATE TABLE k.t (a INT PRIMARY KEY, b INT PRIMARY KEY) STORED AS KUDU",
        "'PRIMARY'",
        "two primary keys");
    refuse(
        "CREATE TABLE k.t (a INT PRIMARY KEY, PRIMARY KEY (a)) STORED AS KUDU",
        "'PRIMARY'",
        "two primary keys");
    refuse(
        "CREATE TABLE k.t (a INT PRIMARY KEY ENCODING RLE ENCODING PLAIN) STORED AS KUDU",
        "'ENCODING'",
        "twice");
    refuse(
        "CREATE TABLE k.t (a INT PRIMARY KEY) STORED AS KUDU AS SELECT 1 AS a",
        "'a'",
        "the query determines the columns");
    refuse(
        "CREATE TABLE k.t (a INT PRIMARY KEY) PARTITION BY RANGE (PARTITION VALUES < f(1))",
        "'f'",
        "f(1) is not a constant");
  }

  // ---------------------------------------------------------------- bounds

  @Test
  void expressionsAreEvaluated() {
    Statement statement =
        Statement.find(
                "ALTER TABLE k.t ADD RANGE PARTITION (1 + 1, 'a\\'') <= VALUES < (-3, now())")
            .orElseThrow();
    Translation translation =
        statement.translate(
            expression ->
                switch (expression) {
                  case "1 + 1" -> 2;
                  case "'a\\''" -> "a'";
                  case "-3" -> -3;
                  case "now()" -> java.time.OffsetDateTime.parse("1970-01-01T00:00:01+02:00");
                  default -> throw new IllegalArgumentException(expression);
                });
    assertThat(((Translation.Text) translation).text())
        .isEqualTo(
            "ALTER TABLE k.t SET TBLPROPERTIES ('add-range-partitions' ="
                + " '(2, \\'a\\'\\'\\') <= VALUES < (-3, \\'1970-01-01T00:00:01+02:00\\')')");
  }

  @Test
  void rangesMayBeHashed() {
    String key = "CREATE TABLE k.t (id INT, x STRING, PRIMARY KEY (id, x)) PARTITION BY ";
    assertThat(
            translated(
                key
                    + "HASH (x) PARTITIONS 2 RANGE (id) (PARTITION VALUES < 1 HASH (X) PARTITIONS 4"
                    + " HASH PARTITIONS 3 PARTITION VALUE = 5, PARTITION 7 <= VALUES"
                    + " HASH (`id`) PARTITIONS 2) STORED AS KUDU"))
        .contains("PARTITIONED BY (bucket(2, `x`))")
        .contains(
            "'VALUES < 1 HASH (`x`) PARTITIONS 4 HASH (`id`, `x`) PARTITIONS 3; VALUE = 5;"
                + " 7 <= VALUES HASH (`id`) PARTITIONS 2'");
    assertThat(
            translated("ALTER TABLE k.t ADD RANGE PARTITION VALUES < 1 HASH (`a b`) PARTITIONS 4"))
        .contains("'VALUES < 1 HASH (`a b`) PARTITIONS 4'");
    assertThat(translated("ALTER TABLE k.t ADD RANGE PARTITION VALUES < 1 HASH PARTITIONS 4"))
        .contains("'VALUES < 1 HASH PARTITIONS 4'");
    refuse(
        key + "RANGE (id) (PARTITION VALUES < 1 HASH (y) PARTITIONS 4)",
        "'y'",
        "PARTITION … HASH (y): y is not a key column; the key is id, x");
    refuse(
        "ALTER TABLE k.t DROP RANGE PARTITION VALUES < 1 HASH (id) PARTITIONS 4",
        "'HASH'",
        "the end of the statement");
    refuse(key + "RANGE (id) (PARTITION VALUES < 1 HASH (id))", "')'", "PARTITIONS is expected");
  }

  // ---------------------------------------------------------------- other statements

  @Test
  void rangesAreAddedAndDropped() {
    assertThat(translated("ALTER TABLE k.t ADD RANGE PARTITION 1.5 <= VALUES"))
        .isEqualTo("ALTER TABLE k.t SET TBLPROPERTIES ('add-range-partitions' = '1.5 <= VALUES')");
    assertThat(translated("ALTER TABLE k.t ADD IF NOT EXISTS RANGE PARTITION VALUE = 1"))
        .contains("'add-range-partitions-if-not-exists' = 'VALUE = 1'");
    assertThat(translated("ALTER TABLE k.t DROP RANGE PARTITION VALUES < 1"))
        .contains("'drop-range-partitions' = 'VALUES < 1'");
    assertThat(translated("ALTER TABLE k.t DROP IF EXISTS RANGE PARTITION VALUES <= 1;"))
        .contains("'drop-range-partitions-if-exists' = 'VALUES <= 1'");
    refuse("ALTER TABLE k.t ADD RANGE PARTITION", "end of input");
    refuse("ALTER TABLE k.t ADD RANGE PARTITION VALUE < 5", "'<'", "= is expected");
    refuse("ALTER TABLE k.t DROP RANGE PARTITION VALUES < 5, VALUES > 9", "','");
  }

  @Test
  void partitionsAreATable() {
    assertThat(translated("SHOW PARTITIONS k.db.t"))
        .isEqualTo("SELECT * FROM `k`.`db`.`t$partitions`");
    assertThat(translated("SHOW RANGE PARTITIONS t"))
        .isEqualTo("SELECT * FROM `t$range_partitions`");
    refuse("SHOW PARTITIONS k.t PARTITION (a = 1)", "'PARTITION'", "the end of the statement");
  }

  @Test
  void writesKeepTheirPositions() {
    var upsert = (Translation.Write) translation("UPSERT INTO TABLE k.t (a) VALUES ('UPSERT')");
    assertThat(upsert.text()).isEqualTo("INSERT INTO TABLE k.t (a) VALUES ('UPSERT')");
    assertThat(upsert.operation()).isEqualTo("upsert");
    var insert =
        (Translation.Write)
            translation("WITH q AS (SELECT 1 AS a)\nINSERT IGNORE INTO k.t SELECT * FROM q");
    assertThat(insert.text())
        .isEqualTo("WITH q AS (SELECT 1 AS a)\nINSERT        INTO k.t SELECT * FROM q");
    assertThat(insert.operation()).isEqualTo("insert_ignore");
  }
}
