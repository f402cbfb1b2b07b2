package dev.kudu4j.benchmarks.changes;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.options.ScaleOption;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.BaselinesTable;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.spark.SparkOptions;
import dev.kudu4j.benchmarks.spark.WorkerSettings;
import dev.kudu4j.benchmarks.worker.WorkerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench changes}: INSERT, UPDATE, DELETE and MERGE on Spark, compared with Delta Lake. */
@Command(
    name = "changes",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Changes one row of a hundred of TPC-H's lineitem by INSERT, UPDATE, DELETE and MERGE on"
          + " Spark, alternately in Kudu4j and in Delta Lake, in one Spark session.",
      "After each round, the tables must be equal; a difference ends the run with an error.",
      "Prints the times of the statements and the ratios to Delta Lake; progress goes to"
          + " standard error."
    })
public final class ChangesCommand implements Callable<Integer> {
  private static final String WORKER = "dev.kudu4j.benchmarks.changes.spark.ChangesWorker";
  private static final Map<String, String> DELTA =
      Map.of(
          "spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension",
          "spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog");

  @Mixin private ScaleOption scale;
  @Mixin private RoundOptions rounds;
  @Mixin private SparkOptions spark;
  @Mixin private HomeOptions home;
  @Mixin private OutputOptions output;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--buckets",
      defaultValue = "4",
      description = "Tablets of the table in Kudu, hashed by order.")
  private int buckets;

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    ChangesRun.Result result = workDirectory.run(this::measure);
    BaselinesTable<TableFormat> tables =
        new BaselinesTable<>(result.measurements(), TableFormat::title);
    Report report = new Report("Changes of a table by SQL on Spark", machine, settings());
    report.table(tables.table("Statements", figure -> true));
    report.table(tables.summary(figure -> true));
    report.note(
        "Ratios below 1 are in favour of Kudu4j. The tables were equal after each round. Both have"
            + " their default settings; the cluster has one tablet server.");
    report.note(
        String.format(
            Locale.ROOT,
            "Spark alone needs %.2f s to plan INSERT's query, read its rows and drop them.",
            result.sourceSeconds()));
    report.chart(tables.chart("Statements: median of the rounds", figure -> true));
    output.publish(report.data("figures", tables.numbers()));
    return 0;
  }

  private ChangesRun.Result measure(Path given) throws Exception {
    Path directory = given.toAbsolutePath();
    Path tables = directory.resolve("tables");
    if (Files.exists(tables)) {
      throw new IllegalStateException(
          directory + " has tables of an earlier run; use another --work-dir");
    }
    Files.createDirectories(tables);
    ClusterSource source = new ClusterSource.Started(home.ours(), 1, List.of());
    try (StatusClient rpc = new StatusClient();
        TargetCluster cluster = source.open(directory.resolve("cluster"), rpc);
        WorkerProcess process =
            spark.start(WORKER, worker(cluster, tables), directory.resolve("spark.out"))) {
      output.progress("Spark is running, with the cluster " + cluster.masterAddresses());
      return new ChangesRun(process, cluster, output::progress).run(rounds);
    }
  }

  private WorkerSettings worker(TargetCluster cluster, Path tables) {
    Map<String, String> configuration = new LinkedHashMap<>(DELTA);
    configuration.putAll(spark.configuration());
    return new WorkerSettings(
        cluster.masterAddresses(), tables, scale.factor(), buckets, spark.master(), configuration);
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("scale", scale.factor());
    settings.put("buckets", buckets);
    settings.put("rounds", rounds.measured());
    settings.put("warm_up_rounds", rounds.warmUp());
    settings.put("spark_master", spark.master());
    settings.put("spark_heap_mb", spark.heapMegabytes());
    settings.put("spark_configuration", spark.configuration());
    return settings;
  }
}
