package dev.kudu4j.benchmarks.freshness;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.freshness.FreshnessRun.Result;
import dev.kudu4j.benchmarks.freshness.FreshnessRun.Settings;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench freshness}: what queries cost whose answers may be some seconds old. */
@Command(
    name = "freshness",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts a tablet server and fills a table with epochs. While rows are inserted and updated,"
          + " one client repeats COUNT(*), a filter on a column that is no key, and a scan of all"
          + " columns, at each freshness in turn.",
      "Prints latencies and the servers' processor time for a query, and how many times less that"
          + " is than at freshness 0. Checks that no answer is older than asked: it must have every"
          + " row that was acknowledged that long before. The exit code is 1 if one is too old."
    })
public final class FreshnessCommand implements Callable<Integer> {
  @Mixin private OutputOptions output;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Spec private CommandSpec command;

  @Option(
      names = "--against",
      paramLabel = "MASTERS",
      description =
          "Use this existing cluster of Kudu4j instead of starting one. Its processor time is"
              + " unknown.")
  private String against;

  @Option(names = "--rows", defaultValue = "6000000", description = "Number of rows at the start.")
  private long rows;

  @Option(names = "--tablets", defaultValue = "4", description = "Number of tablets.")
  private int tablets;

  @Option(
      names = "--epoch",
      defaultValue = "10",
      description = "The table's kudu4j.epoch_sec; 0 for none.")
  private int epochSeconds;

  @Option(
      names = "--freshness",
      split = ",",
      defaultValue = "0,1,5,30,300",
      description = "How old answers may be, in seconds.")
  private List<Integer> freshness;

  @Option(
      names = "--writes",
      defaultValue = "20000",
      description = "Rows inserted and updated per second.")
  private int writes;

  @Option(
      names = "--update-percent",
      defaultValue = "10",
      description = "Share of the updates among the writes.")
  private int updatePercent;

  @Option(names = "--rounds", defaultValue = "3", description = "Number of rounds.")
  private int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "10",
      description = "Duration of a query at one freshness, in a round: a multiple of the epoch.")
  private double slotSeconds;

  @Option(
      names = "--reads",
      defaultValue = "10000",
      description = "Check the age of at least this number of answers.")
  private int reads;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "3072",
      description = "--memory_limit_hard_bytes of each server, in MB.")
  private int memoryLimitMegabytes;

  @Override
  public Integer call() throws Exception {
    Settings settings = settings();
    Machine machine = Machine.here();
    return workDirectory.run(
        directory -> {
          Result result = run(settings, directory);
          Report report = new Report("Freshness", machine, named(settings));
          new FreshnessReport(settings, result).addTo(report);
          output.publish(report);
          return result.tooOld() == 0 ? 0 : 1;
        });
  }

  private Settings settings() {
    if (rows <= 0 || writes <= 0 || updatePercent < 0 || updatePercent > 100) {
      throw new ParameterException(
          command.commandLine(),
          "--rows and --writes must be above 0, and --update-percent from 0 to 100");
    }
    return new Settings(
        rows, tablets, epochSeconds, freshness, writes, updatePercent, rounds, slotSeconds, reads);
  }

  private Result run(Settings settings, Path directory) throws Exception {
    try (StatusClient rpc = new StatusClient();
        TargetCluster cluster = source().open(directory, rpc)) {
      return new FreshnessRun(settings, cluster, output::progress).run();
    }
  }

  private ClusterSource source() {
    String limit = "--memory_limit_hard_bytes=" + ((long) memoryLimitMegabytes << 20);
    return against == null
        ? new ClusterSource.Started(home.ours(), 1, List.of(limit))
        : new ClusterSource.Given(against);
  }

  private static Map<String, Object> named(Settings settings) {
    Map<String, Object> named = new LinkedHashMap<>();
    named.put("rows", settings.rows());
    named.put("tablets", settings.tablets());
    named.put("epoch_seconds", settings.epochSeconds());
    named.put("writes_per_second", settings.writes());
    named.put("update_percent", settings.updatePercent());
    named.put("rounds", settings.rounds());
    named.put("slot_seconds", settings.slotSeconds());
    return named;
  }
}
