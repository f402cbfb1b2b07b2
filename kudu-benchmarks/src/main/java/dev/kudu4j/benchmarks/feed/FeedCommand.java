package dev.kudu4j.benchmarks.feed;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.feed.FeedTrial.Followed;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench feed}: the speed and the lag of a consumer of a table's changes. */
@Command(
    name = "feed",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts three tablet servers, fills a table of four tablets, updates a tenth of the rows,"
          + " and reads all changes from the beginning, beside a scan of all"
          + " rows: once from memory and files, once after a pause in which the servers flush.",
      "Then rows are inserted and updated at several rates while a consumer follows. Prints the"
          + " time from before the write of a row until the consumer has its change."
    })
public final class FeedCommand implements Callable<Integer> {
  private static final int TABLET_SERVERS = 3;
  private static final int RATE_OF_GOAL = 50_000;
  private static final double MOST_LAG_MILLIS = 500;

  @Mixin private OutputOptions output;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--against",
      paramLabel = "MASTERS",
      description =
          "Use this existing cluster of Kudu4j instead of starting one. Nothing waits for its"
              + " servers to flush then.")
  private String against;

  @Option(names = "--replicas", defaultValue = "3", description = "Replicas of each tablet.")
  private int replicas;

  @Option(names = "--rows", defaultValue = "1000000", description = "Rows of the table.")
  private long rows;

  @Option(names = "--seconds", defaultValue = "15", description = "Duration of each load.")
  private double seconds;

  @Option(
      names = "--warmup-seconds",
      defaultValue = "90",
      description = "Duration of a load at the highest rate that is not measured.")
  private double warmupSeconds;

  @Option(
      names = "--rates",
      split = ",",
      defaultValue = "1000,10000,50000",
      description = "Rows a second that are written while a consumer follows.")
  private List<Integer> rates;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "2048",
      description = "--memory_limit_hard_bytes of each server, in MB.")
  private int memoryLimitMegabytes;

  /** Rows and changes a second of one state of the table. */
  private record Reads(String state, double scan, double changes) {}

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    return workDirectory.run(
        directory -> {
          output.publish(measure(machine, directory));
          return 0;
        });
  }

  private Report measure(Machine machine, Path directory) throws Exception {
    List<Reads> reads = new ArrayList<>();
    List<Followed> loads = new ArrayList<>();
    try (StatusClient rpc = new StatusClient();
        TargetCluster cluster = source().open(directory, rpc);
        FeedTrial trial = new FeedTrial(cluster.masterAddresses(), replicas)) {
      output.progress("filling the table");
      trial.fill(rows);
      trial.catchUp(); // warms up
      for (String state : List.of("partly in memory", "flushed")) {
        output.progress("all changes, " + state);
        reads.add(new Reads(state, trial.scan(), trial.catchUp()));
        cluster.awaitIdle();
      }
      output.progress("warming up");
      trial.follow(Collections.max(rates), warmupSeconds);
      for (int rate : rates) {
        output.progress(String.format(Locale.ROOT, "following %,d rows/s", rate));
        loads.add(trial.follow(rate, seconds));
      }
    }
    return report(machine, reads, loads);
  }

  private ClusterSource source() {
    return against == null
        ? new ClusterSource.Started(
            home.ours(),
            Math.max(TABLET_SERVERS, replicas),
            List.of(
                "--memory_limit_hard_bytes=" + ((long) memoryLimitMegabytes << 20),
                "--flush_threshold_secs=10"))
        : new ClusterSource.Given(against);
  }

  private Report report(Machine machine, List<Reads> reads, List<Followed> loads) {
    Table catchUp =
        new Table("All changes", 1, List.of("table", "scan, rows/s", "changes/s", "changes/rows"));
    reads.forEach(
        read ->
            catchUp.row(
                read.state,
                Table.number(read.scan),
                Table.number(read.changes),
                Table.number(read.changes / read.scan)));
    Table lag =
        new Table(
            "Lag", 1, List.of("rows/s", "written", "changes", "p50 (ms)", "p99 (ms)", "longest"));
    loads.forEach(
        load ->
            lag.row(
                count(load.wanted()),
                Table.number(load.written()),
                count(load.lag().getTotalCount()),
                Table.number(load.lagMillis(50)),
                Table.number(load.lagMillis(99)),
                Table.number(load.lagMillis(100))));
    Goals goals = new Goals();
    goals.atMost(
        "lag at " + count(RATE_OF_GOAL) + " rows/s, p99 (ms)",
        loads.stream()
            .filter(load -> load.wanted() == RATE_OF_GOAL)
            .mapToDouble(load -> load.lagMillis(99))
            .findFirst()
            .orElse(Double.NaN),
        MOST_LAG_MILLIS);
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("rows", rows);
    settings.put("replicas", replicas);
    settings.put("seconds", seconds);
    settings.put("warmupSeconds", warmupSeconds);
    settings.put("rates", rates);
    return new Report("Change feed", machine, settings)
        .table(catchUp)
        .table(lag)
        .table(goals.table())
        .chart(
            new Chart(
                    Chart.Kind.LINE,
                    "Lag",
                    "ms",
                    "rows/s",
                    loads.stream().map(load -> count(load.wanted())).toList())
                .add("p50", series(loads, load -> load.lagMillis(50)))
                .add("p99", series(loads, load -> load.lagMillis(99))))
        .data("reads", reads)
        .data("changes", loads.stream().map(load -> load.lag().getTotalCount()).toList())
        .data("lag_p99_ms", loads.stream().map(load -> load.lagMillis(99)).toList())
        .data("goals", goals.numbers());
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static double[] series(List<Followed> loads, ToDoubleFunction<Followed> figure) {
    return loads.stream().mapToDouble(figure).toArray();
  }
}
