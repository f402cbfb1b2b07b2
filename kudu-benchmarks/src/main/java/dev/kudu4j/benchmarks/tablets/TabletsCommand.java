package dev.kudu4j.benchmarks.tablets;

import dev.kudu4j.benchmarks.cluster.Cluster;
import dev.kudu4j.benchmarks.cluster.Distribution;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench tablets}: what many tablets cost that nobody uses. */
@Command(
    name = "tablets",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Creates many tablets with three replicas on three tablet servers, leaves them alone, and"
          + " then kills and restarts one of the servers.",
      "Prints the time to create them, the threads, memory and processor time of an idle server,"
          + " the number of tablets whose leader changed while nobody used them, and the time until"
          + " the restarted server runs all its replicas.",
      "Then does the same with the published Apache Kudu. Needs an otherwise idle machine."
    })
public final class TabletsCommand implements Callable<Integer> {
  private static final int TABLET_SERVERS = 3;

  @Mixin private OutputOptions output;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(names = "--tablets", defaultValue = "1000", description = "Number of tablets.")
  private int tablets;

  @Option(
      names = "--tablets-of-table",
      defaultValue = "60",
      description = "Tablets of each table; the tables are created one after the other.")
  private int tabletsOfTable;

  @Option(
      names = "--settle",
      defaultValue = "180",
      description = "Seconds between the creation and the measurement of the idle servers.")
  private int settleSeconds;

  @Option(
      names = "--idle",
      defaultValue = "60",
      description = "Seconds over which the idle servers are measured.")
  private int idleSeconds;

  @Option(names = "--ours-only", description = "Leaves out the published Apache Kudu.")
  private boolean oursOnly;

  /** The result of one cluster. */
  private record Result(double createSeconds, TabletsTrial.Idle idle, double restartSeconds) {}

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    return workDirectory.run(
        directory -> {
          Result published = null;
          if (!oursOnly) {
            output.progress("Apache Kudu");
            published = measure(home.published(), directory.resolve("published"));
          }
          output.progress("Kudu4j");
          Result ours = measure(home.ours(), directory.resolve("ours"));
          output.publish(report(machine, ours, published));
          return 0;
        });
  }

  private Result measure(Distribution distribution, Path directory) throws Exception {
    List<String> flags = List.of("--max_create_tablets_per_ts=" + tabletsOfTable);
    try (StatusClient rpc = new StatusClient();
        Cluster cluster = Cluster.start(distribution, directory, TABLET_SERVERS, flags, rpc);
        TabletsTrial trial = new TabletsTrial(cluster)) {
      output.progress("creating " + tablets + " tablets");
      double createSeconds = trial.create(tablets, tabletsOfTable);
      output.progress("waiting for " + settleSeconds + " s");
      TimeUnit.SECONDS.sleep(settleSeconds);
      output.progress("measuring the idle servers");
      TabletsTrial.Idle idle = trial.idle(idleSeconds);
      output.progress("restarting a server");
      return new Result(createSeconds, idle, trial.restart());
    }
  }

  private Report report(Machine machine, Result ours, Result published) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("tablets", tablets);
    settings.put("tablets_of_table", tabletsOfTable);
    settings.put("settle_seconds", settleSeconds);
    settings.put("idle_seconds", idleSeconds);
    Table table = new Table("", 1, List.of("a tablet server", "Kudu4j", "ratio", "Apache Kudu"));
    Map<String, Object> numbers = new LinkedHashMap<>();
    Map<String, ToDoubleFunction<Result>> figures = new LinkedHashMap<>();
    figures.put("creating all tablets (s)", Result::createSeconds);
    figures.put("idle: share of a processor (%)", r -> r.idle().percentOfProcessor());
    figures.put("idle: threads", r -> r.idle().threads());
    figures.put("idle: memory (MB)", r -> r.idle().megabytes());
    figures.put("idle: tablets whose leader changed", r -> r.idle().changedLeaders());
    figures.put("kill -9 until all replicas run again (s)", Result::restartSeconds);
    figures.forEach(
        (name, figure) -> {
          double own = figure.applyAsDouble(ours);
          double other = published == null ? Double.NaN : figure.applyAsDouble(published);
          table.row(name, Table.number(own), Table.number(own / other), Table.number(other));
          numbers.put(name, published == null ? List.of(own) : List.of(own, other));
        });
    return new Report("Many tablets", machine, settings).table(table).data("figures", numbers);
  }
}
