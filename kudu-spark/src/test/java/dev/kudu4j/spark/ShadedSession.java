package dev.kudu4j.spark;

import java.util.List;
import org.apache.spark.sql.SparkSession;

/**
 * The program that {@link ShadedJarIT} runs in a separate JVM. It refers to classes of Spark only.
 */
final class ShadedSession {
  /** The packages that Spark requires to be opened. */
  static final List<String> OPENS =
      List.of(
          "java.lang",
          "java.lang.invoke",
          "java.lang.reflect",
          "java.io",
          "java.net",
          "java.nio",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "jdk.internal.ref",
          "sun.nio.ch",
          "sun.nio.cs",
          "sun.security.action",
          "sun.util.calendar");

  private ShadedSession() {}

  public static void main(String[] arguments) {
    SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.warehouse.dir", arguments[1] + "/warehouse")
            .config("spark.sql.catalog.k", "dev.kudu4j.spark.KuduCatalog")
            .config("spark.sql.catalog.k.kudu.master", arguments[0])
            .getOrCreate();
    spark.sql(
        "CREATE TABLE k.shaded.t (id INT, name STRING, PRIMARY KEY (id))"
            + " PARTITIONED BY (bucket(2, id))");
    spark.sql("INSERT INTO k.shaded.t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    System.out.printf(
        "rows: %d, answer: %s%n",
        spark.table("k.shaded.t").count(),
        spark.sql("SELECT * FROM k.shaded.t WHERE name = 'b'").head());
    spark.stop();
  }
}
