package dev.kudu4j.benchmarks.tpch;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.options.ScaleOption;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.spark.SparkOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench tpch}: TPC-H on Spark, with the tables in Kudu4j and as Parquet. */
@Command(
    name = "tpch",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Runs the queries of TPC-H on Spark, alternately with the tables in Kudu4j and"
          + " with the same tables as Parquet files, in one Spark session.",
      "All answers of a query must be equal; a difference ends the run with an error.",
      "Prints the times of each query and the ratios to Parquet; progress goes to"
          + " standard error. With --work-dir, a later run uses the loaded tables again."
    })
public final class TpchCommand implements Callable<Integer> {
  @Mixin private ScaleOption scale;
  @Mixin private RoundOptions rounds;
  @Mixin private SparkOptions spark;
  @Mixin private HomeOptions home;
  @Mixin private OutputOptions output;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--queries",
      split = ",",
      paramLabel = "NUMBER",
      description = "Run only these queries, with commas between. Default: all 22.")
  private List<Integer> queries = IntStream.rangeClosed(1, TpchSettings.QUERIES).boxed().toList();

  @Option(
      names = "--buckets",
      defaultValue = "4",
      description = "Tablets of each table in Kudu but the three smallest, hashed by key.")
  private int buckets;

  @Option(
      names = "--against",
      paramLabel = "MASTERS",
      description =
          "Use this existing cluster of Kudu4j instead of starting one: HOST:PORT of each"
              + " master, with commas between. The tables are in its namespace tpch, which must"
              + " not have them yet, and are dropped at the end.")
  private String against;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "3072",
      description = "--memory_limit_hard_bytes of each started server, in MB.")
  private int memoryLimitMegabytes;

  @Override
  public Integer call() throws Exception {
    TpchSettings settings =
        new TpchSettings(
            scale.factor(),
            buckets,
            queries,
            rounds.measured(),
            rounds.warmUp(),
            spark.master(),
            spark.configuration(),
            spark.heapMegabytes());
    Machine machine = Machine.here();
    ClusterSource source = source();
    Measurements<Storage> measurements =
        workDirectory.run(
            directory -> {
              try (StatusClient rpc = new StatusClient()) {
                return new TpchRun(settings, source, spark, directory, output::progress).run(rpc);
              }
            });
    Map<String, Object> described = settings.toMap();
    described.put("memory_limit_hard_bytes", memoryLimitBytes());
    output.publish(TpchReport.of(measurements, machine, described));
    return 0;
  }

  private ClusterSource source() {
    return against != null
        ? new ClusterSource.Given(against)
        : new ClusterSource.Started(
            home.ours(), 1, List.of("--memory_limit_hard_bytes=" + memoryLimitBytes()));
  }

  private long memoryLimitBytes() {
    return (long) memoryLimitMegabytes << 20;
  }
}
