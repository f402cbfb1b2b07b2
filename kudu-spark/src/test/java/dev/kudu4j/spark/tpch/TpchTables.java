package dev.kudu4j.spark.tpch;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** The eight tables: what TPC-H says of their columns, and where Kudu puts their rows. */
final class TpchTables {
  /** One table. */
  private record Definition(String columns, String key, String buckets) {}

  private static final Map<String, Definition> TABLES = new LinkedHashMap<>();

  static {
    TABLES.put(
        "region",
        new Definition("r_regionkey INT, r_name STRING, r_comment STRING", "r_regionkey", ""));
    TABLES.put(
        "nation",
        new Definition(
            "n_nationkey INT, n_name STRING, n_regionkey INT, n_comment STRING",
            "n_nationkey",
            ""));
    TABLES.put(
        "supplier",
        new Definition(
            "s_suppkey INT, s_name STRING, s_address STRING, s_nationkey INT, s_phone STRING,"
                + " s_acctbal DECIMAL(15, 2), s_comment STRING",
            "s_suppkey",
            ""));
    TABLES.put(
        "customer",
        new Definition(
            "c_custkey INT, c_name STRING, c_address STRING, c_nationkey INT, c_phone STRING,"
                + " c_acctbal DECIMAL(15, 2), c_mktsegment STRING, c_comment STRING",
            "c_custkey",
            "bucket(2, c_custkey)"));
    TABLES.put(
        "part",
        new Definition(
            "p_partkey INT, p_name STRING, p_mfgr STRING, p_brand STRING, p_type STRING,"
                + " p_size INT, p_container STRING, p_retailprice DECIMAL(15, 2), p_comment STRING",
            "p_partkey",
            "bucket(2, p_partkey)"));
    TABLES.put(
        "partsupp",
        new Definition(
            "ps_partkey INT, ps_suppkey INT, ps_availqty INT, ps_supplycost DECIMAL(15, 2),"
                + " ps_comment STRING",
            "ps_partkey, ps_suppkey",
            "bucket(2, ps_partkey)"));
    TABLES.put(
        "orders",
        new Definition(
            "o_orderkey BIGINT, o_custkey INT, o_orderstatus STRING, o_totalprice DECIMAL(15, 2),"
                + " o_orderdate DATE, o_orderpriority STRING, o_clerk STRING, o_shippriority INT,"
                + " o_comment STRING",
            "o_orderkey",
            "bucket(2, o_orderkey)"));
    TABLES.put(
        "lineitem",
        new Definition(
            "l_orderkey BIGINT, l_linenumber INT, l_partkey INT, l_suppkey INT,"
                + " l_quantity DECIMAL(15, 2), l_extendedprice DECIMAL(15, 2),"
                + " l_discount DECIMAL(15, 2), l_tax DECIMAL(15, 2), l_returnflag STRING,"
                + " l_linestatus STRING, l_shipdate DATE, l_commitdate DATE, l_receiptdate DATE,"
                + " l_shipinstruct STRING, l_shipmode STRING, l_comment STRING",
            "l_orderkey, l_linenumber",
            "bucket(2, l_orderkey)"));
  }

  /** TPC-H's own order of columns; the key comes first in Kudu. */
  private static final String LINEITEM_IN_FILES =
      "l_orderkey BIGINT, l_partkey INT, l_suppkey INT, l_linenumber INT, ";

  private TpchTables() {}

  /** Makes all tables as Parquet, as views {@code parquet_NAME}, and in a namespace of Kudu. */
  static void load(SparkSession spark, String namespace, double scale, Path directory)
      throws IOException {
    for (Map.Entry<String, Definition> table : TABLES.entrySet()) {
      String name = table.getKey();
      Definition definition = table.getValue();
      Path text = directory.resolve(name + ".tbl");
      generate(name, scale, text);
      String parquet = directory.resolve(name + ".parquet").toString();
      spark
          .read()
          .schema(inFiles(name, definition))
          .option("sep", "|")
          .csv(text.toString())
          .write()
          .parquet(parquet);
      Files.delete(text);
      spark.read().parquet(parquet).createOrReplaceTempView("parquet_" + name);
      create(spark, namespace + "." + name, definition);
      spark.sql("INSERT INTO " + namespace + "." + name + " BY NAME SELECT * FROM parquet_" + name);
    }
  }

  static Iterable<String> names() {
    return TABLES.keySet();
  }

  private static String inFiles(String name, Definition definition) {
    return name.equals("lineitem")
        ? LINEITEM_IN_FILES
            + definition.columns().substring(definition.columns().indexOf("l_quantity"))
        : definition.columns();
  }

  private static void generate(String name, double scale, Path file) throws IOException {
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      for (TpchEntity row : TpchTable.getTable(name).createGenerator(scale, 1, 1)) {
        writer.write(row.toLine());
        writer.write('\n');
      }
    }
  }

  private static void create(SparkSession spark, String name, Definition definition) {
    String partitions =
        definition.buckets().isEmpty() ? "" : " PARTITIONED BY (" + definition.buckets() + ")";
    spark.sql(
        "CREATE TABLE "
            + name
            + " ("
            + definition.columns()
            + ", PRIMARY KEY ("
            + definition.key()
            + "))"
            + partitions);
  }
}
