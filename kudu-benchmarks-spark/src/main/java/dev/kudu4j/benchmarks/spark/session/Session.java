package dev.kudu4j.benchmarks.spark.session;

import dev.kudu4j.benchmarks.spark.WorkerSettings;
import dev.kudu4j.spark.KuduCatalog;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/** The Spark session of a benchmark. Its catalog {@value #CATALOG} is the cluster. */
public final class Session {
  /** Name of the catalog with the tables in Kudu4j. */
  public static final String CATALOG = "kudu";

  private Session() {}

  /**
   * Opens the session.
   *
   * @param name name of the application
   */
  static SparkSession open(String name, WorkerSettings settings) {
    Path directory = settings.directory();
    SparkSession.Builder builder =
        SparkSession.builder()
            .master(settings.sparkMaster())
            .appName(name)
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.local.dir", directory.resolve("spark").toString())
            .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.catalog." + CATALOG, KuduCatalog.class.getName())
            .config("spark.sql.catalog." + CATALOG + ".kudu.master", settings.kuduMasters());
    settings.configuration().forEach(builder::config);
    return builder.getOrCreate();
  }
}
