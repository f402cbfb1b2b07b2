package dev.kudu4j.benchmarks.tpch.spark;

import dev.kudu4j.benchmarks.spark.WorkerSettings;
import dev.kudu4j.benchmarks.spark.session.SparkProcess;
import dev.kudu4j.benchmarks.tpch.Order;
import dev.kudu4j.benchmarks.tpch.Storage;
import dev.kudu4j.tpch.TpchQueries;
import dev.kudu4j.tpch.TpchTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Loads the tables and runs the queries, by {@link Order}s. */
public final class TpchWorker {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int REPLICAS = 1;

  private final SparkSession spark;
  private final WorkerSettings settings;
  private final Answers answers = new Answers();

  private TpchWorker(SparkSession spark, WorkerSettings settings) {
    this.spark = spark;
    this.settings = settings;
  }

  /**
   * @param arguments as {@link WorkerSettings#toArguments} makes them
   */
  public static void main(String[] arguments) throws IOException {
    SparkProcess.run(
        "kudu bench tpch",
        arguments,
        (spark, settings) -> new TpchWorker(spark, settings)::carryOut);
  }

  private Map<String, Double> carryOut(String[] order) throws IOException {
    long startNanos = System.nanoTime();
    switch (Order.valueOf(order[0])) {
      case WRITE_PARQUET -> TpchTables.writeParquet(spark, order[1], settings.scale(), directory());
      case OPEN_PARQUET -> TpchCatalogs.addParquet(spark, order[1], parquet(order[1]));
      case LOAD_KUDU -> loadKudu(order[1]);
      case DROP_KUDU -> spark.sql("DROP TABLE " + TpchCatalogs.kudu(order[1]));
      case RUN -> {
        return run(Storage.valueOf(order[1]), Integer.parseInt(order[2]));
      }
    }
    return Map.of(Order.SECONDS, secondsSince(startNanos));
  }

  private void loadKudu(String table) {
    TpchTables.create(spark, TpchCatalogs.KUDU_NAMESPACE, table, settings.buckets(), REPLICAS);
    TpchTables.copy(spark, parquet(table), TpchCatalogs.kudu(table));
  }

  /** Measures the time from the text of the query to the last row of its answer. */
  private Map<String, Double> run(Storage storage, int query) {
    String text = TpchQueries.text(query);
    TpchCatalogs.use(spark, storage);
    long startNanos = System.nanoTime();
    List<Row> rows = spark.sql(text).collectAsList();
    double seconds = secondsSince(startNanos);
    answers.check(storage, query, rows);
    return Map.of(Order.SECONDS, seconds, Order.ROWS, (double) rows.size());
  }

  private Path parquet(String table) {
    return TpchTables.parquet(table, directory());
  }

  private Path directory() {
    return settings.directory();
  }

  private static double secondsSince(long startNanos) {
    return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
  }
}
