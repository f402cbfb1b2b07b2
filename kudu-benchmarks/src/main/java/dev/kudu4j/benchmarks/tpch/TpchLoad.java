package dev.kudu4j.benchmarks.tpch;

import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Fills the tables: Parquet from generated text, Kudu from Parquet. A later run in the same
 * directory uses the tables again.
 */
final class TpchLoad {
  private static final double MEGABYTE = 1e6;
  private static final List<String> TABLES =
      List.of("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem");

  private final WorkerProcess spark;
  private final TargetCluster cluster;
  private final Path directory;
  private final Measurements<Storage> measurements;
  private final Consumer<String> progress;

  /**
   * @param directory directory of the Parquet tables
   * @param measurements receives times and sizes
   */
  TpchLoad(
      WorkerProcess spark,
      TargetCluster cluster,
      Path directory,
      Measurements<Storage> measurements,
      Consumer<String> progress) {
    this.spark = spark;
    this.cluster = cluster;
    this.directory = directory;
    this.measurements = measurements;
    this.progress = progress;
  }

  /** Creates and fills all tables. */
  void load() throws IOException {
    double parquetSeconds = 0;
    double kuduSeconds = 0;
    for (String table : TABLES) {
      double parquet = order(Order.WRITE_PARQUET, table);
      double kudu = order(Order.LOAD_KUDU, table);
      progress.accept(
          "loaded %s: generated and written as Parquet in %.1f s, from there into Kudu in %.1f s"
              .formatted(table, parquet, kudu));
      parquetSeconds += parquet;
      kuduSeconds += kudu;
    }
    cluster.flush();
    cluster.awaitIdle();
    measurements.add(Storage.PARQUET, TpchFigure.LOAD, parquetSeconds);
    measurements.add(Storage.KUDU, TpchFigure.LOAD, kuduSeconds);
  }

  /** Makes the tables ready for queries, and measures their sizes. */
  void open() throws IOException {
    for (String table : TABLES) {
      order(Order.OPEN_PARQUET, table);
    }
    double kudu = cluster.dataBytes();
    if (!Double.isNaN(kudu)) {
      measurements.add(Storage.KUDU, TpchFigure.SIZE, kudu / MEGABYTE);
      measurements.add(Storage.PARQUET, TpchFigure.SIZE, parquetBytes() / MEGABYTE);
    }
  }

  /** Drops the tables in Kudu. */
  void drop() throws IOException {
    for (String table : TABLES) {
      order(Order.DROP_KUDU, table);
    }
  }

  private double order(Order order, String table) throws IOException {
    return spark.order(order + " " + table).get(Order.SECONDS);
  }

  private long parquetBytes() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".parquet") && Files.isRegularFile(file))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }
}
