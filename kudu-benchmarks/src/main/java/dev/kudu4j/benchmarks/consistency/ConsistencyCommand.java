package dev.kudu4j.benchmarks.consistency;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.Distribution;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench consistency}: whether readers ever see half a pair of writes. */
@Command(
    name = "consistency",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts three tablet servers. A writer adds 1 to an account in one tablet and subtracts 1"
          + " from its counterpart in another tablet, each pair in one transaction. Readers sum up"
          + " all accounts at a snapshot, or at one that may be 5 seconds old, each again and"
          + " again. Other rows are inserted meanwhile, and the servers that lead the two tablets"
          + " are killed and started again, in turn.",
      "Then does the same with the published Apache Kudu and its client. Its transactions only"
          + " insert, so a pair is one flush of a session there.",
      "Prints the number of reads, of sums that are not zero, and of reads that saw an older state"
          + " than the same reader saw before. Fails if Kudu4j has any of these."
    })
public final class ConsistencyCommand implements Callable<Integer> {
  private static final int TABLET_SERVERS = 3;
  private static final String MEMORY = "--memory_limit_hard_bytes=" + (1L << 30);

  @Mixin private OutputOptions output;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--only",
      split = ",",
      defaultValue = "ours,published",
      description = "The servers that run: ${COMPLETION-CANDIDATES}.")
  private Set<Servers> only;

  @Option(
      names = "--seconds",
      defaultValue = "600",
      description = "Duration of the run on each of the servers.")
  private double seconds;

  @Option(names = "--readers", defaultValue = "16", description = "Number of readers, 8 or more.")
  private int readers;

  @Option(
      names = "--read-pause-ms",
      defaultValue = "50",
      description = "Pause of each reader between two reads, in ms.")
  private int readPauseMillis;

  @Option(
      names = "--kill-seconds",
      defaultValue = "20",
      description = "Time between two deaths of leaders; 0 for none.")
  private double killSeconds;

  @Option(
      names = "--load-rows",
      defaultValue = "2000",
      description = "Rows that are inserted into another table each second; 0 for none.")
  private int loadRowsPerSecond;

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    return workDirectory.run(
        directory -> {
          Map<Servers, Outcome> outcomes = new EnumMap<>(Servers.class);
          for (Servers servers : only) {
            output.progress(servers.title());
            outcomes.put(servers, run(servers, directory.resolve(name(servers))));
          }
          output.publish(report(machine, outcomes));
          return check(outcomes.get(Servers.OURS));
        });
  }

  private static String name(Servers servers) {
    return servers.name().toLowerCase(Locale.ROOT);
  }

  private Outcome run(Servers servers, Path directory) throws Exception {
    Distribution distribution = servers == Servers.OURS ? home.ours() : home.published();
    List<String> flags =
        servers.isTransactional() ? List.of(MEMORY, "--txn_manager_enabled") : List.of(MEMORY);
    ClusterSource.Started source = new ClusterSource.Started(distribution, TABLET_SERVERS, flags);
    try (StatusClient rpc = new StatusClient();
        Cluster cluster = source.open(directory, rpc)) {
      return new Experiment(servers, cluster, settings()).run();
    }
  }

  private Experiment.Settings settings() {
    return new Experiment.Settings(
        seconds, readers, readPauseMillis, killSeconds, loadRowsPerSecond);
  }

  /** A run without reads or pairs of one kind shows nothing. */
  private int check(Outcome ours) {
    if (ours == null) {
      return ExitCode.OK;
    }
    boolean shown =
        ours.pairs() > 0 && ours.readings().stream().allMatch(reading -> reading.reads() > 0);
    if (ours.inconsistencies() > 0) {
      output.progress("FAILED: a reader of Kudu4j saw what it should not");
    } else if (!shown) {
      output.progress("FAILED: there were no pairs, or no reads of one kind");
    }
    return shown && ours.inconsistencies() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private Report report(Machine machine, Map<Servers, Outcome> outcomes) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("seconds", seconds);
    settings.put("readers", readers);
    settings.put("read_pause_ms", readPauseMillis);
    settings.put("kill_seconds", killSeconds);
    settings.put("load_rows_per_second", loadRowsPerSecond);
    Report report =
        new Report("Consistency: A + B = 0", machine, settings)
            .table(reads(outcomes))
            .table(writes(outcomes));
    outcomes.forEach((servers, outcome) -> describe(report, servers, outcome));
    return report.chart(chart(outcomes));
  }

  private static Table reads(Map<Servers, Outcome> outcomes) {
    Table table =
        new Table(
            "Reads",
            2,
            List.of(
                "servers", "reads", "readers", "sums", "not zero", "older than before", "failed"));
    outcomes.forEach(
        (servers, outcome) -> {
          for (Reading reading : outcome.readings()) {
            table.row(
                servers.title(),
                reading.title(),
                count(reading.readers()),
                count(reading.reads()),
                count(reading.nonZero()),
                count(reading.wentBack()),
                count(reading.failures()));
          }
        });
    return table;
  }

  private static Table writes(Map<Servers, Outcome> outcomes) {
    Table table =
        new Table(
            "Writes",
            2,
            List.of(
                "servers",
                "a pair is",
                "pairs",
                "p50 (ms)",
                "p99 (ms)",
                "longest (ms)",
                "repeated",
                "servers killed",
                "other rows"));
    outcomes.forEach(
        (servers, outcome) ->
            table.row(
                servers.title(),
                servers.isTransactional() ? "a transaction" : "a flush",
                count(outcome.pairs()),
                millis(outcome, 50),
                millis(outcome, 99),
                millis(outcome, 100),
                count(outcome.failedWrites()),
                count(outcome.kills()),
                count(outcome.loadedRows())));
    return table;
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static String millis(Outcome outcome, double percentile) {
    return Table.number(outcome.writeNanos().getValueAtPercentile(percentile) / 1e6);
  }

  private static void describe(Report report, Servers servers, Outcome outcome) {
    List<Map<String, Object>> readings = new ArrayList<>();
    for (Reading reading : outcome.readings()) {
      readings.add(
          Map.of(
              "title", reading.title(),
              "readers", reading.readers(),
              "reads", reading.reads(),
              "not_zero", reading.nonZero(),
              "older_than_before", reading.wentBack(),
              "failed", reading.failures()));
      if (!reading.example().isEmpty()) {
        report.note(servers.title() + ", " + reading.title() + ", first: " + reading.example());
      }
    }
    report.data(
        name(servers),
        Map.of(
            "readings", readings,
            "pairs", outcome.pairs(),
            "pairs_of_second", outcome.pairsOfSecond(),
            "repeated", outcome.failedWrites(),
            "killed", outcome.kills(),
            "other_rows", outcome.loadedRows()));
  }

  private static Chart chart(Map<Servers, Outcome> outcomes) {
    int count =
        outcomes.values().stream()
            .mapToInt(outcome -> outcome.pairsOfSecond().length)
            .max()
            .orElse(0);
    Chart chart =
        new Chart(
            Chart.Kind.LINE,
            "Pairs written",
            "pairs a second",
            "seconds",
            IntStream.range(0, count).mapToObj(Integer::toString).toList());
    outcomes.forEach(
        (servers, outcome) ->
            chart.add(
                servers.title(),
                Arrays.stream(outcome.pairsOfSecond()).asDoubleStream().toArray()));
    return chart;
  }
}
