package dev.kudu4j.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartitionSchema;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The catalog shows, creates and alters tables. */
class KuduCatalogTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static List<Row> sql(String text) {
    return KUDU.spark().sql(text).collectAsList();
  }

  private static KuduTable table(String name) throws Exception {
    return KUDU.client().openTable(name);
  }

  private static String text(List<Row> rows) {
    return rows.stream().map(Row::toString).collect(Collectors.joining("\n"));
  }

  @Test
  void missingTableIsReported() {
    assertThatThrownBy(() -> sql("SELECT * FROM k.db.missing"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND")
        .hasMessageContaining("missing");
  }

  @Test
  void createdTableHasTheRequestedDefinition() throws Exception {
    sql(
        """
        CREATE TABLE k.made.metrics (
          host STRING NOT NULL,
          at TIMESTAMP NOT NULL COMMENT 'when it was taken',
          value DECIMAL(12, 3) DEFAULT 1.5,
          tag VARCHAR(10) DEFAULT 'none',
          PRIMARY KEY (host, at))
        PARTITIONED BY (bucket(3, host))
        COMMENT 'all metrics'
        TBLPROPERTIES (
          'num-replicas' = '1',
          'range-columns' = 'at',
          'range-partitions' = 'VALUES < "2024-01-01"; 2024-01-01 <= VALUES < 2025-01-01',
          'column.host.encoding' = 'dict',
          'column.value.compression' = 'lz4',
          'kudu.table.history_max_age_sec' = '3600')
        """);
    KuduTable table = table("made.metrics");
    assertThat(table.getComment()).isEqualTo("all metrics");
    assertThat(table.getNumReplicas()).isEqualTo(1);
    assertThat(table.getExtraConfig()).containsEntry("kudu.table.history_max_age_sec", "3600");
    assertThat(table.getSchema().getPrimaryKeyColumns())
        .extracting(ColumnSchema::getName)
        .containsExactly("host", "at");
    assertThat(table.getSchema().getColumn("host").getEncoding())
        .isEqualTo(ColumnSchema.Encoding.DICT_ENCODING);
    assertThat(table.getSchema().getColumn("value").getCompressionAlgorithm())
        .isEqualTo(ColumnSchema.CompressionAlgorithm.LZ4);
    assertThat(table.getSchema().getColumn("value").getDefaultValue())
        .isEqualTo(new java.math.BigDecimal("1.500"));
    assertThat(table.getSchema().getColumn("at").getComment()).isEqualTo("when it was taken");
    assertThat(table.getPartitionSchema().getHashBucketSchemas())
        .extracting(PartitionSchema.HashBucketSchema::getNumBuckets)
        .containsExactly(3);
    assertThat(table.getFormattedRangePartitions(60_000))
        .containsExactly(
            "VALUES < 2024-01-01T00:00:00.000000Z",
            "2024-01-01T00:00:00.000000Z <= VALUES < 2025-01-01T00:00:00.000000Z");
  }

  @Test
  void tableCanBeCreatedFromShowCreateTable() throws Exception {
    sql(
        """
        CREATE TABLE k.shown.first (
          id BIGINT NOT NULL, name STRING DEFAULT 'it''s', day DATE DEFAULT DATE'2024-02-29',
          seen TIMESTAMP DEFAULT TIMESTAMP'2024-02-29 12:34:56.789Z', ok BOOLEAN DEFAULT true,
          ratio DOUBLE DEFAULT 0.5D, bytes BINARY DEFAULT X'00ff', small TINYINT DEFAULT 3Y,
          PRIMARY KEY (id))
        PARTITIONED BY (bucket(2, id))
        TBLPROPERTIES ('range-columns' = 'id', 'range-partitions' = 'VALUES < 5; VALUE = 7',
          'column.name.compression' = 'zstd')
        """);
    String shown = sql("SHOW CREATE TABLE k.shown.first").get(0).getString(0);
    sql(shown.replace("k.shown.first", "k.shown.second"));
    KuduTable first = table("shown.first");
    KuduTable second = table("shown.second");
    assertThat(second.getSchema().getColumns()).isEqualTo(first.getSchema().getColumns());
    for (ColumnSchema column : first.getSchema().getColumns()) {
      assertThat(second.getSchema().getColumn(column.getName()).getDefaultValue())
          .as(column.getName())
          .isEqualTo(column.getDefaultValue());
    }
    assertThat(second.getFormattedRangePartitionsWithHashSchema(60_000))
        .isEqualTo(first.getFormattedRangePartitionsWithHashSchema(60_000));
    assertThat(second.getSchema().getColumn("name").getCompressionAlgorithm())
        .isEqualTo(ColumnSchema.CompressionAlgorithm.ZSTD);
  }

  @Test
  void keyMayBeAProperty() throws Exception {
    sql(
        "CREATE TABLE k.made.by_property (a INT, b STRING, c INT)"
            + " TBLPROPERTIES ('primary-key' = 'a, b')");
    assertThat(table("made.by_property").getSchema().getPrimaryKeyColumnCount()).isEqualTo(2);
    assertThat(text(sql("DESCRIBE TABLE EXTENDED k.made.by_property")))
        .contains("[a,int,null]", "[Provider,kudu,]");
  }

  @Test
  void definitionsThatKuduCannotStoreAreRejected() {
    refuse("CREATE TABLE k.bad.t (a INT)", "needs a primary key", "PRIMARY KEY (columns)");
    refuse("CREATE TABLE k.bad.t (b INT, a INT, PRIMARY KEY (a))", "must start with", "[a]");
    refuse("CREATE TABLE k.bad.t (a INT, PRIMARY KEY (z))", "z");
    refuse("CREATE TABLE k.bad.t (a INT, PRIMARY KEY (a)) USING parquet", "only kudu tables");
    refuse(
        "CREATE TABLE k.bad.t (a INT, PRIMARY KEY (a)) PARTITIONED BY (a)",
        "bucket(n, columns)",
        "range-partitions");
    refuse(
        "CREATE TABLE k.bad.t (a INT, PRIMARY KEY (a)) TBLPROPERTIES ('nonsense' = '1')",
        "Property nonsense is not supported");
    refuse(
        "CREATE TABLE k.bad.t (a INT, PRIMARY KEY (a)) TBLPROPERTIES ('column.a.encoding' = 'x')",
        "must be one of auto, plain");
    refuse(
        "CREATE TABLE k.bad.t (a INT, PRIMARY KEY (a))"
            + " TBLPROPERTIES ('range-columns' = 'a', 'range-partitions' = 'VALUES < x')",
        "'x' is not a valid int32 for column a");
    refuse(
        "CREATE TABLE k.bad.t (a INT, b INT DEFAULT CAST(rand() * 9 AS INT), PRIMARY KEY (a))",
        "b");
    assertThat(sql("SHOW NAMESPACES IN k")).extracting(Row::toString).doesNotContain("[bad]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ARRAY<ARRAY<INT>> | ARRAY<ARRAY<INT>> | elements of an array must be scalars",
        "ARRAY<STRUCT<x: INT>> | ARRAY<STRUCT<x: INT>> | elements of an array must be scalars",
        "ARRAY<TIMESTAMP_NTZ> | ARRAY<TIMESTAMP_NTZ> | use ARRAY<TIMESTAMP>",
        "ARRAY<DECIMAL(19, 2)> | ARRAY<DECIMAL(19,2)> | decimals of at most 18 digits as elements",
        "ARRAY<CHAR(3)> | CHAR(3) | use STRING, or VARCHAR of at most 65535",
        "MAP<STRING, INT> | MAP<STRING, INT> | TIMESTAMP_NTZ, STRING",
        "STRUCT<x: INT> | STRUCT<x: INT> | use one of BOOLEAN",
        "INTERVAL DAY TO SECOND | INTERVAL DAY TO SECOND | use one of BOOLEAN",
        "INTERVAL YEAR | INTERVAL YEAR | use one of BOOLEAN",
        "VARIANT | VARIANT | use one of BOOLEAN",
        "TIME(6) | TIME(6) | use one of BOOLEAN",
        "CHAR(3) | CHAR(3) | use STRING, or VARCHAR of at most 65535",
        "VARCHAR(70000) | VARCHAR(70000) | use STRING, or VARCHAR of at most 65535",
        "STRING COLLATE UTF8_LCASE | STRING COLLATE UTF8_LCASE | use STRING without COLLATE",
      })
  void typesThatKuduLacksAreRefused(String type, String shown, String wayOut) {
    KUDU.spark().conf().set("spark.sql.timeType.enabled", "true"); // Spark refuses it otherwise
    String[] words = {"Column b is of type " + shown, "which Kudu does not have", wayOut};
    refuse("CREATE TABLE k.bad.t (a INT, b " + type + ", PRIMARY KEY (a))", words);
    refuse("CREATE TABLE k.bad.t (b " + type + ", PRIMARY KEY (b))", words);
    sql("CREATE TABLE IF NOT EXISTS k.types.t (a INT, PRIMARY KEY (a))");
    refuse("ALTER TABLE k.types.t ADD COLUMN b " + type, words);
    KUDU.spark().conf().unset("spark.sql.timeType.enabled");
    assertThat(sql("SHOW NAMESPACES IN k")).extracting(Row::toString).doesNotContain("[bad]");
  }

  private static void refuse(String statement, String... words) {
    assertThatThrownBy(() -> sql(statement)).as(statement).hasMessageContainingAll(words);
  }

  @Test
  void tableIsAlteredAtOnce() throws Exception {
    sql(
        "CREATE TABLE k.altered.t (id INT, a STRING, b INT, PRIMARY KEY (id))"
            + " PARTITIONED BY (bucket(2, id))"
            + " TBLPROPERTIES ('range-columns' = 'id', 'range-partitions' = 'VALUES < 10')");
    sql("ALTER TABLE k.altered.t ADD COLUMNS (c BIGINT COMMENT 'new', d DATE)");
    sql("ALTER TABLE k.altered.t ADD COLUMN e INT NOT NULL DEFAULT 7");
    sql("ALTER TABLE k.altered.t RENAME COLUMN a TO alpha");
    sql("ALTER TABLE k.altered.t DROP COLUMN b");
    sql("ALTER TABLE k.altered.t ALTER COLUMN c SET DEFAULT 42");
    sql("ALTER TABLE k.altered.t ALTER COLUMN d COMMENT 'a day'");
    sql("COMMENT ON TABLE k.altered.t IS 'changed'");
    sql(
        "ALTER TABLE k.altered.t SET TBLPROPERTIES ('column.c.compression' = 'snappy',"
            + " 'add-range-partitions' = '10 <= VALUES < 20')");
    KuduTable table = table("altered.t");
    assertThat(table.getSchema().getColumns())
        .extracting(ColumnSchema::getName)
        .containsExactly("id", "alpha", "c", "d", "e");
    assertThat(table.getSchema().getColumn("c").getDefaultValue()).isEqualTo(42L);
    assertThat(table.getSchema().getColumn("c").getCompressionAlgorithm())
        .isEqualTo(ColumnSchema.CompressionAlgorithm.SNAPPY);
    assertThat(table.getSchema().getColumn("e").getDefaultValue()).isEqualTo(7);
    assertThat(table.getSchema().getColumn("d").getComment()).isEqualTo("a day");
    assertThat(table.getComment()).isEqualTo("changed");
    assertThat(table.getFormattedRangePartitions(60_000))
        .containsExactly("VALUES < 10", "10 <= VALUES < 20");

    sql("ALTER TABLE k.altered.t ALTER COLUMN c DROP DEFAULT");
    sql("ALTER TABLE k.altered.t SET TBLPROPERTIES ('drop-range-partitions' = 'VALUES < 10')");
    sql("ALTER TABLE k.altered.t RENAME TO altered.renamed");
    table = table("altered.renamed");
    assertThat(table.getSchema().getColumn("c").getDefaultValue()).isNull();
    assertThat(table.getFormattedRangePartitions(60_000)).containsExactly("10 <= VALUES < 20");

    refuse("ALTER TABLE k.altered.renamed ALTER COLUMN c TYPE DECIMAL(30, 0)", "c");
    refuse("ALTER TABLE k.altered.renamed DROP COLUMN id", "part of the primary key");
    refuse("ALTER TABLE k.altered.renamed ADD COLUMN f INT FIRST", "new columns are always last");
    refuse("ALTER TABLE k.altered.renamed ALTER COLUMN e DROP NOT NULL", "UPDATE it from the old");
    sql("DROP TABLE k.altered.renamed");
    assertThat(KUDU.client().tableExists("altered.renamed")).isFalse();
    assertThatThrownBy(() -> sql("DROP TABLE k.altered.renamed")).hasMessageContaining("renamed");
    sql("DROP TABLE IF EXISTS k.altered.renamed");
  }

  @Test
  void namesOfImpalaAndOfSparkAreFound() throws Exception {
    sql("CREATE TABLE k.`impala::names.t` (id INT, PRIMARY KEY (id))");
    sql("CREATE TABLE k.names.deep.u (id INT, PRIMARY KEY (id))");
    sql("CREATE TABLE k.names_bare (id INT, PRIMARY KEY (id))");
    assertThat(KUDU.client().tableExists("impala::names.t")).isTrue();
    assertThat(KUDU.client().tableExists("names.deep.u")).isTrue();
    assertThat(KUDU.client().tableExists("names_bare")).isTrue();
    assertThat(text(sql("SHOW TABLES IN k.names"))).isEqualTo("[names,t,false]");
    assertThat(text(sql("SHOW TABLES IN k.names.deep"))).contains(",u,false]");
    assertThat(text(sql("SHOW TABLES IN k"))).contains("names_bare").doesNotContain(",u,");
    assertThat(text(sql("SHOW NAMESPACES IN k"))).contains("[names]");
    assertThat(text(sql("SHOW NAMESPACES IN k.names"))).isEqualTo("[names.deep]");
    assertThat(text(sql("DESCRIBE k.names.t"))).contains("[id,int,null]");

    sql("CREATE NAMESPACE k.empty_one");
    assertThat(text(sql("SHOW NAMESPACES IN k"))).contains("[empty_one]");
    sql("DROP NAMESPACE k.empty_one");
    assertThat(text(sql("SHOW NAMESPACES IN k"))).doesNotContain("[empty_one]");
    assertThatThrownBy(() -> sql("DROP NAMESPACE k.names")).hasMessageContaining("names");
    sql("DROP NAMESPACE k.names CASCADE");
    assertThat(KUDU.client().tableExists("impala::names.t")).isFalse();
    assertThat(KUDU.client().tableExists("names.deep.u")).isFalse();
  }

  @Test
  void tableCreatedAsSelectAppearsWhenItIsComplete() {
    sql(
        "CREATE TABLE k.staged.t TBLPROPERTIES ('primary-key' = 'id')"
            + " AS SELECT CAST(id AS INT) AS id, 'first' AS v FROM range(5)");
    assertThat(text(sql("SELECT count(*), max(v) FROM k.staged.t"))).isEqualTo("[5,first]");
    refuse("CREATE TABLE k.staged.t TBLPROPERTIES ('primary-key' = 'id') AS SELECT 1 AS id", "t");
    sql(
        "CREATE OR REPLACE TABLE k.staged.t TBLPROPERTIES ('primary-key' = 'id')"
            + " AS SELECT id, 'second' AS v FROM range(3)");
    assertThat(text(sql("SELECT count(*), max(v) FROM k.staged.t"))).isEqualTo("[3,second]");

    refuse(
        "CREATE OR REPLACE TABLE k.staged.t TBLPROPERTIES ('primary-key' = 'id')"
            + " AS SELECT id, CAST(raise_error('half way') AS STRING) AS v FROM range(3)",
        "half way");
    assertThat(text(sql("SELECT count(*), max(v) FROM k.staged.t"))).isEqualTo("[3,second]");
    assertThat(text(sql("SHOW TABLES IN k.staged"))).isEqualTo("[staged,t,false]");
  }
}
