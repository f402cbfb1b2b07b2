package dev.kudu4j.benchmarks.tpch.spark;

import dev.kudu4j.benchmarks.tpch.Storage;
import dev.kudu4j.benchmarks.tpch.WorkerSettings;
import dev.kudu4j.spark.KuduCatalog;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/**
 * The Spark session. Both kinds of tables are in catalogs, and the queries name tables without
 * them, so that one text runs on either.
 */
final class Session {
  private static final String CATALOG = "kudu";
  private static final String PARQUET_NAMESPACE = "spark_catalog.tpch";

  static final String KUDU_NAMESPACE = CATALOG + ".tpch";

  private Session() {}

  static SparkSession open(WorkerSettings settings) {
    Path directory = settings.directory();
    SparkSession.Builder builder =
        SparkSession.builder()
            .master(settings.sparkMaster())
            .appName("kudu bench tpch")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.local.dir", directory.resolve("spark").toString())
            .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.catalog." + CATALOG, KuduCatalog.class.getName())
            .config("spark.sql.catalog." + CATALOG + ".kudu.master", settings.kuduMasters());
    settings.configuration().forEach(builder::config);
    SparkSession spark = builder.getOrCreate();
    spark.sql("CREATE DATABASE IF NOT EXISTS " + PARQUET_NAMESPACE);
    return spark;
  }

  /** Makes a directory of Parquet files a table of Spark's own catalog. */
  static void addParquet(SparkSession spark, String table, Path files) {
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
