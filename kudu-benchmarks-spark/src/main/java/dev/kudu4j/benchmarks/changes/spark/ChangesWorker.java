package dev.kudu4j.benchmarks.changes.spark;

import dev.kudu4j.benchmarks.changes.Change;
import dev.kudu4j.benchmarks.changes.ChangesOrder;
import dev.kudu4j.benchmarks.changes.TableFormat;
import dev.kudu4j.benchmarks.spark.WorkerSettings;
import dev.kudu4j.benchmarks.spark.session.Session;
import dev.kudu4j.benchmarks.spark.session.SparkProcess;
import dev.kudu4j.tpch.TpchTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** Loads the table into each format and changes it, by {@link ChangesOrder}s. */
public final class ChangesWorker {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final String TABLE = "lineitem";
  private static final String KUDU_NAMESPACE = Session.CATALOG + ".changes";

  private final SparkSession spark;
  private final WorkerSettings settings;

  private ChangesWorker(SparkSession spark, WorkerSettings settings) {
    this.spark = spark;
    this.settings = settings;
  }

  /**
   * @param arguments as {@link WorkerSettings#toArguments} makes them
   */
  public static void main(String[] arguments) throws IOException {
    SparkProcess.run(
        "kudu bench changes",
        arguments,
        (spark, settings) -> new ChangesWorker(spark, settings)::carryOut);
  }

  private Map<String, Double> carryOut(String[] order) throws IOException {
    long startNanos = System.nanoTime();
    switch (ChangesOrder.valueOf(order[0])) {
      case GENERATE ->
          TpchTables.writeParquet(spark, TABLE, settings.scale(), settings.directory());
      case LOAD -> load(TableFormat.valueOf(order[1]));
      case PREPARE -> prepare(Integer.parseInt(order[1]));
      case RUN -> run(TableFormat.valueOf(order[1]), Change.valueOf(order[2]), order[3]);
      case READ_SOURCE -> readSource(Integer.parseInt(order[1]));
      case COMPARE -> {
        return Map.of(ChangesOrder.ROWS, (double) compare());
      }
    }
    double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    return Map.of(ChangesOrder.SECONDS, seconds);
  }

  private void load(TableFormat format) {
    Path generated = TpchTables.parquet(TABLE, settings.directory());
    switch (format) {
      case KUDU -> {
        TpchTables.create(spark, KUDU_NAMESPACE, TABLE, settings.buckets(), 1);
        TpchTables.copy(spark, generated, name(format));
      }
      case DELTA ->
          spark.sql(
              "CREATE TABLE %s USING delta AS SELECT * FROM parquet.`%s`"
                  .formatted(name(format), generated));
    }
  }

  private void prepare(int round) {
    String generated = "parquet.`" + TpchTables.parquet(TABLE, settings.directory()) + "`";
    for (Change change : List.of(Change.INSERT, Change.MERGE)) {
      spark.sql(Statements.rowsOf(change, round, generated)).write().parquet(source(change, round));
    }
  }

  private void run(TableFormat format, Change change, String round) {
    int number = Integer.parseInt(round);
    String source = "parquet.`" + source(change, number) + "`";
    spark.sql(Statements.text(change, number, name(format), source));
  }

  private void readSource(int round) {
    spark
        .read()
        .parquet(source(Change.INSERT, round))
        .write()
        .format("noop")
        .mode(SaveMode.Overwrite)
        .save();
  }

  /** Returns the number of rows if all tables have the same rows. */
  private long compare() {
    Row expected = null;
    for (TableFormat format : TableFormat.values()) {
      Row found = spark.sql(Statements.digest(name(format))).head();
      if (expected != null && !found.equals(expected)) {
        throw new IllegalStateException(
            "The tables differ: number of rows, sum and hashes are %s in %s, and %s before"
                .formatted(found, format.title(), expected));
      }
      expected = found;
    }
    return expected.getLong(0);
  }

  private String source(Change change, int round) {
    return settings.directory().resolve(change.key() + "-" + round).toString();
  }

  private static String name(TableFormat format) {
    return switch (format) {
      case KUDU -> KUDU_NAMESPACE + "." + TABLE;
      case DELTA -> "spark_catalog.default." + TABLE;
    };
  }
}
