package dev.kudu4j.benchmarks.tpch.spark;

import dev.kudu4j.benchmarks.spark.session.Session;
import dev.kudu4j.benchmarks.tpch.Storage;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/**
 * The places of both kinds of tables. The queries name tables without a catalog, so that one text
 * runs on either.
 */
final class TpchCatalogs {
  private static final String PARQUET_NAMESPACE = "spark_catalog.tpch";

  static final String KUDU_NAMESPACE = Session.CATALOG + ".tpch";

  private TpchCatalogs() {}

  /** Makes a directory of Parquet files a table of Spark's own catalog. */
  static void addParquet(SparkSession spark, String table, Path files) {
    spark.sql("CREATE DATABASE IF NOT EXISTS " + PARQUET_NAMESPACE);
    spark.sql(
        "CREATE TABLE %s.%s USING parquet LOCATION '%s'"
            .formatted(PARQUET_NAMESPACE, table, files));
  }

  /** The full name of a table in Kudu. */
  static String kudu(String table) {
    return KUDU_NAMESPACE + "." + table;
  }

  /** Makes the tables of this kind those that a query means. */
  static void use(SparkSession spark, Storage storage) {
    spark.sql(
        "USE "
            + switch (storage) {
              case KUDU -> KUDU_NAMESPACE;
              case PARQUET -> PARQUET_NAMESPACE;
            });
  }
}
