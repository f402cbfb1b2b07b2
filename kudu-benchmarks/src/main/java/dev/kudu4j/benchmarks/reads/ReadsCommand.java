package dev.kudu4j.benchmarks.reads;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.options.HomeOptions;
import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.options.WorkDirectory;
import dev.kudu4j.benchmarks.reads.EventTable.Layout;
import dev.kudu4j.benchmarks.reads.ReadsTrial.Load;
import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench reads}: ranges and single rows, idle and while rows arrive. */
@Command(
    name = "reads",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Loads the same events into two tables: one sorted by time, whose tablets are ranges of time,"
          + " and one whose key and hash partitions begin with the user. One client reads ranges of"
          + " time of both, and single rows of the first by their key: while nobody writes, and"
          + " while rows arrive in both tables.",
      "Prints reads a second and percentiles of the durations."
    })
public final class ReadsCommand implements Callable<Integer> {
  private static final double LEAST_OF_RANGES = 4;
  private static final double MOST_OF_POINTS = 2;

  @Mixin private OutputOptions output;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(names = "--rows", defaultValue = "2000000", description = "Rows of each table.")
  private long rows;

  @Option(names = "--range-rows", defaultValue = "1000", description = "Rows of a range.")
  private long rangeRows;

  @Option(
      names = "--ingest-rows",
      defaultValue = "5000",
      description = "Rows that arrive in each table each second.")
  private int ingestRows;

  @Option(names = "--seconds", defaultValue = "20", description = "Duration of each measurement.")
  private double seconds;

  @Option(
      names = "--replicas",
      defaultValue = "1",
      description = "Replicas of each tablet, and tablet servers.")
  private int replicas;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "3072",
      description = "--memory_limit_hard_bytes of each server, in MB.")
  private int memoryLimitMegabytes;

  /** What is read. */
  private enum Kind {
    SORTED_RANGES("ranges of time, sorted by time"),
    HASHED_RANGES("ranges of time, hashed by user"),
    POINTS("single rows by key");

    private final String title;

    Kind(String title) {
      this.title = title;
    }
  }

  /**
   * The measurements of a run.
   *
   * @param arrived rows that arrived in each table meanwhile
   * @param arrivalSeconds duration of the arrivals
   */
  private record Results(
      Map<Kind, Load> idle, Map<Kind, Load> during, long arrived, double arrivalSeconds) {}

  @Override
  public Integer call() throws Exception {
    checkRows();
    Machine machine = Machine.here();
    return workDirectory.run(
        directory -> {
          output.publish(report(machine, measure(directory)));
          return 0;
        });
  }

  /** Each row arrives once. The measurements may take a little longer than they should. */
  private void checkRows() {
    double most = 1.5 * ingestRows * seconds * Kind.values().length;
    if (rows < most || rows < rangeRows) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "With this --ingest-rows, --seconds and --range-rows, --rows must be at least %,.0f",
              Math.max(most, rangeRows)));
    }
  }

  private Results measure(Path directory) throws Exception {
    ClusterSource source =
        new ClusterSource.Started(
            home.ours(),
            replicas,
            List.of("--memory_limit_hard_bytes=" + ((long) memoryLimitMegabytes << 20)));
    try (StatusClient rpc = new StatusClient();
        TargetCluster cluster = source.open(directory, rpc);
        ReadsTrial trial = new ReadsTrial(cluster.masterAddresses(), rows, replicas)) {
      for (Layout layout : Layout.values()) {
        output.progress("loading the table " + layout.name().toLowerCase(Locale.ROOT));
        trial.load(layout);
      }
      cluster.flush();
      cluster.awaitIdle();
      output.progress("warming up");
      measure(trial, seconds / 4);
      output.progress("nobody writes");
      Map<Kind, Load> idle = measure(trial, seconds);
      output.progress("rows arrive");
      long began = System.nanoTime();
      try (Arrivals arrivals = trial.arrivals(ingestRows)) {
        Map<Kind, Load> during = measure(trial, seconds);
        return new Results(idle, during, arrivals.written(), (System.nanoTime() - began) / 1e9);
      }
    }
  }

  private Map<Kind, Load> measure(ReadsTrial trial, double duration) throws Exception {
    Map<Kind, Load> loads = new EnumMap<>(Kind.class);
    loads.put(Kind.SORTED_RANGES, trial.ranges(Layout.SORTED, rangeRows, duration));
    loads.put(Kind.HASHED_RANGES, trial.ranges(Layout.HASHED, rangeRows, duration));
    loads.put(Kind.POINTS, trial.points(duration));
    return loads;
  }

  private Report report(Machine machine, Results results) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("rows", rows);
    settings.put("range_rows", rangeRows);
    settings.put("ingest_rows", ingestRows);
    settings.put("seconds", seconds);
    settings.put("replicas", replicas);
    settings.put("memory_limit_mb", memoryLimitMegabytes);
    Table table =
        new Table("", 2, List.of("reads", "", "reads/s", "p50 (ms)", "p99 (ms)", "longest (ms)"));
    Map<String, Object> numbers = new LinkedHashMap<>();
    for (Kind kind : Kind.values()) {
      addRow(table, numbers, kind, "idle", results.idle.get(kind));
      addRow(table, numbers, kind, "rows arrive", results.during.get(kind));
    }
    Goals goals = goals(results);
    return new Report("Reads of ranges and rows", machine, settings)
        .table(table)
        .note(
            String.format(
                Locale.ROOT,
                "%,.0f rows a second arrived in each table.",
                results.arrived / results.arrivalSeconds))
        .table(goals.table())
        .data("reads", numbers)
        .data("goals", goals.numbers())
        .chart(chart(results));
  }

  private static void addRow(
      Table table, Map<String, Object> numbers, Kind kind, String when, Load load) {
    table.row(
        kind.title,
        when,
        Table.number(load.perSecond()),
        Table.number(load.millis(50)),
        Table.number(load.millis(99)),
        Table.number(load.millis(100)));
    numbers.put(
        kind.title + ", " + when,
        Map.of(
            "per_second", load.perSecond(),
            "p50_ms", load.millis(50),
            "p99_ms", load.millis(99),
            "longest_ms", load.millis(100)));
  }

  private static Goals goals(Results results) {
    Goals goals = new Goals();
    goals.atLeast(
        "median of ranges, hashed, of sorted, idle",
        ratio(results.idle, Kind.HASHED_RANGES, Kind.SORTED_RANGES),
        LEAST_OF_RANGES);
    goals.atLeast(
        "median of ranges, hashed, of sorted, rows arrive",
        ratio(results.during, Kind.HASHED_RANGES, Kind.SORTED_RANGES),
        LEAST_OF_RANGES);
    goals.atMost(
        "median of single rows while rows arrive, of idle",
        results.during.get(Kind.POINTS).millis(50) / results.idle.get(Kind.POINTS).millis(50),
        MOST_OF_POINTS);
    return goals;
  }

  private static double ratio(Map<Kind, Load> loads, Kind one, Kind other) {
    return loads.get(one).millis(50) / loads.get(other).millis(50);
  }

  private static Chart chart(Results results) {
    Chart chart =
        new Chart(Chart.Kind.BAR, "Median duration", "ms", "", List.of("idle", "rows arrive"));
    for (Kind kind : Kind.values()) {
      chart.add(kind.title, results.idle.get(kind).millis(50), results.during.get(kind).millis(50));
    }
    return chart;
  }
}
