package dev.kudu4j.benchmarks.tpch;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.options.Directories;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.spark.SparkOptions;
import dev.kudu4j.benchmarks.spark.WorkerSettings;
import dev.kudu4j.benchmarks.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * One run in a directory: starts the cluster and Spark, loads the tables unless an earlier run has
 * done so, and compares.
 *
 * <pre>
 *   cluster/         data of the servers
 *   parquet/         NAME.parquet/, and Spark's own files
 *   loaded           the settings of the tables that are complete
 *   spark.out        output of Spark
 * </pre>
 */
final class TpchRun {
  private static final String LOADED = "loaded";
  private static final String WORKER = "dev.kudu4j.benchmarks.tpch.spark.TpchWorker";

  private final TpchSettings settings;
  private final ClusterSource source;
  private final SparkOptions spark;
  private final Path directory;
  private final Consumer<String> progress;
  private final Measurements<Storage> measurements;

  TpchRun(
      TpchSettings settings,
      ClusterSource source,
      SparkOptions spark,
      Path directory,
      Consumer<String> progress) {
    this.settings = settings;
    this.source = source;
    this.spark = spark;
    this.directory = directory.toAbsolutePath();
    this.progress = progress;
    this.measurements =
        new Measurements<>(TpchFigure.all(settings.queries()), List.of(Storage.values()));
  }

  /**
   * @param rpc borrowed
   */
  Measurements<Storage> run(StatusClient rpc) throws IOException {
    Path parquet = Files.createDirectories(directory.resolve("parquet"));
    boolean loaded = isLoaded();
    try (TargetCluster cluster = source.open(directory.resolve("cluster"), rpc)) {
      progress.accept("the cluster is running: " + cluster.masterAddresses());
      WorkerSettings worker =
          new WorkerSettings(
              cluster.masterAddresses(),
              parquet,
              settings.scale(),
              settings.buckets(),
              settings.sparkMaster(),
              settings.sparkConfiguration());
      try (WorkerProcess process = spark.start(WORKER, worker, directory.resolve("spark.out"))) {
        progress.accept("Spark is running");
        TpchLoad load = new TpchLoad(process, cluster, parquet, measurements, progress);
        try {
          if (loaded) {
            progress.accept("using the tables of an earlier run in " + directory);
          } else {
            load.load();
            markLoaded();
          }
          load.open();
          new TpchComparison(process, cluster, settings, measurements, progress).run();
        } finally {
          if (!keepsTables()) {
            load.drop();
            Directories.delete(parquet); // the next run loads both
          }
        }
      }
    }
    return measurements;
  }

  /** Whether the tables in Kudu are kept with the directory: not those of a given cluster. */
  private boolean keepsTables() {
    return source instanceof ClusterSource.Started;
  }

  /**
   * Whether an earlier run has loaded the tables.
   *
   * @throws IllegalStateException if it had other settings, or did not complete the load
   */
  private boolean isLoaded() throws IOException {
    Path marker = directory.resolve(LOADED);
    if (Files.exists(marker)) {
      String found = Files.readString(marker);
      if (!found.equals(description())) {
        throw new IllegalStateException(
            "%s has tables of %s, not of %s; use another --work-dir"
                .formatted(directory, found, description()));
      }
      return true;
    }
    if (Files.exists(directory.resolve("parquet").resolve("region.parquet"))) {
      throw new IllegalStateException(
          directory + " has tables of a load that did not end; use another --work-dir");
    }
    return false;
  }

  private void markLoaded() throws IOException {
    if (keepsTables()) {
      Files.writeString(directory.resolve(LOADED), description());
    }
  }

  private String description() {
    return "scale " + settings.scale() + " in " + settings.buckets() + " buckets";
  }
}
