package dev.kudu4j.benchmarks.table3;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.options.ScaleOption;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.BaselinesTable;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench table3}: queries of {@code lineitem} on one thread. */
@Command(
    name = "table3",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Loads TPC-H lineitem and queries it on one thread, alternately in Kudu4j,"
          + " whose servers aggregate, in DuckDB, on its own table and on Parquet, and in the"
          + " published Apache Kudu, whose client aggregates.",
      "All answers of a query must be equal; a difference ends the run with an error.",
      "Prints times and Kudu4j's ratios to the others; progress goes to standard error."
    })
public final class Table3Command implements Callable<Integer> {
  @Mixin private ScaleOption scale;
  @Mixin private RoundOptions rounds;
  @Mixin private HomeOptions home;
  @Mixin private OutputOptions output;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "CONTENDER",
      description = "Run only these, with commas between: ${COMPLETION-CANDIDATES}.")
  private Set<Contender> contenders = EnumSet.allOf(Contender.class);

  @Option(
      names = "--tablets",
      defaultValue = "1",
      description = "Tablets of the table in Kudu4j and Apache Kudu, read one after another.")
  private int tablets;

  @Option(
      names = "--runs",
      defaultValue = "10",
      description =
          "Least number of runs of a query in each turn, whose median counts; more, at most 100, if"
              + " they take less than 100 ms.")
  private int runs;

  @Option(
      names = "--look-ups",
      defaultValue = "200",
      description = "Rows that are looked up by key in each round, at most 1000.")
  private int lookUps;

  @Option(
      names = "--against",
      paramLabel = "MASTERS",
      description =
          "Use this existing cluster of Kudu4j instead of starting one: HOST:PORT of each"
              + " master, with commas between. Its table lineitem_table3 must not exist, and is"
              + " left there.")
  private String against;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "3072",
      description = "--memory_limit_hard_bytes of each started server, in MB.")
  private int memoryLimitMegabytes;

  @Override
  public Integer call() throws Exception {
    Table3Settings settings =
        new Table3Settings(
            scale.factor(), tablets, runs, lookUps, rounds.measured(), rounds.warmUp(), contenders);
    Machine machine = Machine.here();
    Map<Contender, ClusterSource> clusters = clusters(settings);
    Measurements<Contender> measurements =
        new Measurements<>(Table3Figure.all(), List.of(Contender.values()));
    workDirectory.run(directory -> run(settings, clusters, measurements, directory));
    Map<String, Object> described = settings.toMap();
    described.put("memory_limit_hard_bytes", memoryLimitBytes());
    output.publish(report(measurements, machine, described));
    return 0;
  }

  @SuppressWarnings("try") // close() may be interrupted, which ends the process
  private Measurements<Contender> run(
      Table3Settings settings,
      Map<Contender, ClusterSource> clusters,
      Measurements<Contender> measurements,
      Path directory)
      throws Exception {
    try (StatusClient rpc = new StatusClient();
        Table3Load load =
            new Table3Load(directory, rpc, settings, measurements, output::progress)) {
      load.load(clusters);
      new Table3Run(load.trials(), load.keys(), settings, measurements, output::progress).run();
    }
    return measurements;
  }

  private Map<Contender, ClusterSource> clusters(Table3Settings settings) {
    String memory = "--memory_limit_hard_bytes=" + memoryLimitBytes();
    Map<Contender, ClusterSource> clusters = new EnumMap<>(Contender.class);
    if (settings.has(Contender.KUDU4J)) {
      clusters.put(
          Contender.KUDU4J,
          against != null
              ? new ClusterSource.Given(against)
              : new ClusterSource.Started(home.ours(), 1, List.of(memory)));
    }
    if (settings.has(Contender.APACHE_KUDU)) {
      clusters.put(
          Contender.APACHE_KUDU, new ClusterSource.Started(home.published(), 1, List.of(memory)));
    }
    return clusters;
  }

  private long memoryLimitBytes() {
    return (long) memoryLimitMegabytes << 20;
  }

  private static Report report(
      Measurements<Contender> measurements, Machine machine, Map<String, Object> settings) {
    BaselinesTable<Contender> tables = new BaselinesTable<>(measurements, Contender::title);
    Report report = new Report("lineitem on one thread", machine, settings);
    report.table(tables.table("", figure -> true));
    report.table(tables.summary(figure -> ((Table3Figure) figure).isTime()));
    report.note("Ratios below 1 are in favour of Kudu4j. All answers were equal.");
    report.chart(tables.chart("Median of the rounds", figure -> ((Table3Figure) figure).isTime()));
    report.chart(
        tables.ratioChart(
            "Ratio of Kudu4j; below 1 is faster", figure -> ((Table3Figure) figure).isTime()));
    return report.data("figures", tables.numbers());
  }
}
