package dev.kudu4j.tpch;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** The eight tables: their columns according to TPC-H, and their partitioning in Kudu. */
public final class TpchTables {
  /**
   * One table.
   *
   * @param hashed the column that the rows are hashed by; empty for a table of one tablet
   */
  private record Definition(String columns, String key, String hashed) {}

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
            "c_custkey"));
    TABLES.put(
        "part",
        new Definition(
            "p_partkey INT, p_name STRING, p_mfgr STRING, p_brand STRING, p_type STRING,"
                + " p_size INT, p_container STRING, p_retailprice DECIMAL(15, 2), p_comment STRING",
            "p_partkey",
            "p_partkey"));
    TABLES.put(
        "partsupp",
        new Definition(
            "ps_partkey INT, ps_suppkey INT, ps_availqty INT, ps_supplycost DECIMAL(15, 2),"
                + " ps_comment STRING",
            "ps_partkey, ps_suppkey",
            "ps_partkey"));
    TABLES.put(
        "orders",
        new Definition(
            "o_orderkey BIGINT, o_custkey INT, o_orderstatus STRING, o_totalprice DECIMAL(15, 2),"
                + " o_orderdate DATE, o_orderpriority STRING, o_clerk STRING, o_shippriority INT,"
                + " o_comment STRING",
            "o_orderkey",
            "o_orderkey"));
    TABLES.put(
        "lineitem",
        new Definition(
            "l_orderkey BIGINT, l_linenumber INT, l_partkey INT, l_suppkey INT,"
                + " l_quantity DECIMAL(15, 2), l_extendedprice DECIMAL(15, 2),"
                + " l_discount DECIMAL(15, 2), l_tax DECIMAL(15, 2), l_returnflag STRING,"
                + " l_linestatus STRING, l_shipdate DATE, l_commitdate DATE, l_receiptdate DATE,"
                + " l_shipinstruct STRING, l_shipmode STRING, l_comment STRING",
            "l_orderkey, l_linenumber",
            "l_orderkey"));
  }

  /** TPC-H's own order of columns; the key comes first in Kudu. */
  private static final String LINEITEM_IN_FILES =
      "l_orderkey BIGINT, l_partkey INT, l_suppkey INT, l_linenumber INT, ";

  private TpchTables() {}

  /** The names of the tables, small ones first. */
  public static List<String> names() {
    return List.copyOf(TABLES.keySet());
  }

  /**
   * Generates a table and writes it as Parquet, with Spark's defaults.
   *
   * @param scale TPC-H's scale factor
   * @param directory directory of the tables; the generated text is there too for a while
   */
  public static void writeParquet(SparkSession spark, String name, double scale, Path directory)
      throws IOException {
    Path text = directory.resolve(name + ".tbl");
    generate(name, scale, text);
    spark
        .read()
        .schema(inFiles(name))
        .option("sep", "|")
        .csv(text.toString())
        .write()
        .parquet(parquet(name, directory).toString());
    Files.delete(text);
  }

  /** The directory of a table that {@link #writeParquet} has written. */
  public static Path parquet(String name, Path directory) {
    return directory.resolve(name + ".parquet");
  }

  /**
   * Creates a table in a catalog of Kudu.
   *
   * @param namespace catalog and namespace
   * @param buckets number of tablets of each but the three smallest tables
   * @param replicas number of replicas of each tablet
   */
  public static void create(
      SparkSession spark, String namespace, String name, int buckets, int replicas) {
    Definition definition = definition(name);
    String partitions =
        definition.hashed().isEmpty()
            ? ""
            : " PARTITIONED BY (bucket(" + buckets + ", " + definition.hashed() + "))";
    spark.sql(
        "CREATE TABLE "
            + namespace
            + "."
            + name
            + " ("
            + definition.columns()
            + ", PRIMARY KEY ("
            + definition.key()
            + "))"
            + partitions
            + " TBLPROPERTIES ('num-replicas' = '"
            + replicas
            + "')");
  }

  /**
   * Copies the rows of a Parquet table into a table with the same columns, whose order may differ.
   *
   * @param table catalog, namespace and name
   */
  public static void copy(SparkSession spark, Path parquet, String table) {
    spark.sql("INSERT INTO " + table + " BY NAME SELECT * FROM parquet.`" + parquet + "`");
  }

  private static Definition definition(String name) {
    Definition definition = TABLES.get(name);
    if (definition == null) {
      throw new IllegalArgumentException("TPC-H has no table " + name);
    }
    return definition;
  }

  private static String inFiles(String name) {
    String columns = definition(name).columns();
    return name.equals("lineitem")
        ? LINEITEM_IN_FILES + columns.substring(columns.indexOf("l_quantity"))
        : columns;
  }

  private static void generate(String name, double scale, Path file) throws IOException {
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      for (TpchEntity row : TpchTable.getTable(name).createGenerator(scale, 1, 1)) {
        writer.write(row.toLine());
        writer.write('\n');
      }
    }
  }
}
