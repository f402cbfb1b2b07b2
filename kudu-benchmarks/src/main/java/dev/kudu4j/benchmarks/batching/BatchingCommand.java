package dev.kudu4j.benchmarks.batching;

import dev.kudu4j.benchmarks.batching.BatchingTrial.Load;
import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench batching}: throughput and delays of batches of 1 to 1,000,000 rows. */
@Command(
    name = "batching",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Starts three tablet servers and writes rows of about 1.3 KB to 8 tablets of two tables, in"
          + " batches of 1, 10, 100, ... rows, with one producer: one after the other, and without"
          + " waiting for the one before.",
      "Writes the same rows without batches, before and afterwards: one session in the background,"
          + " and row by row.",
      "Prints rows a second, the duration of a batch, and the time from the beginning of a batch"
          + " until a scan returns its last row."
    })
public final class BatchingCommand implements Callable<Integer> {
  private static final int TABLET_SERVERS = 3;
  private static final int ROWS_OF_GOAL = 10_000;
  private static final double LEAST_OF_PLAIN_LOAD = 0.9;
  private static final double MOST_OF_PLAIN_INSERT = 3;

  @Mixin private OutputOptions output;
  @Mixin private HomeOptions home;
  @Mixin private WorkDirectory workDirectory;

  @Option(
      names = "--seconds",
      defaultValue = "20",
      description = "Duration of each load, but at least one batch is written.")
  private double seconds;

  @Option(
      names = "--rows",
      defaultValue = "1000000",
      description = "Most rows of each load; a larger batch is not measured.")
  private long maxRows;

  @Option(
      names = "--max-batch",
      defaultValue = "1000000",
      description = "Rows of the largest batch.")
  private int maxBatch;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "3072",
      description = "--memory_limit_hard_bytes of each server, in MB.")
  private int memoryLimitMegabytes;

  /**
   * The loads of a run.
   *
   * @param flows rows a second by size of the batch, without waiting for the batch before
   * @param plainLoads before the batches and after them
   * @param singleInserts likewise
   */
  private record Results(
      List<Load> batches,
      Map<Integer, Double> flows,
      List<Load> plainLoads,
      List<Load> singleInserts) {
    double plainRowsPerSecond() {
      return mean(plainLoads, Load::rowsPerSecond);
    }

    double singleMillis() {
      return mean(singleInserts, load -> load.seconds() * 1e3 / load.batches());
    }

    static double mean(List<Load> loads, ToDoubleFunction<Load> figure) {
      return loads.stream().mapToDouble(figure).average().orElse(Double.NaN);
    }
  }

  @Override
  public Integer call() throws Exception {
    Machine machine = Machine.here();
    return workDirectory.run(
        directory -> {
          output.publish(report(machine, measure(directory)));
          return 0;
        });
  }

  private Results measure(Path directory) throws Exception {
    ClusterSource source =
        new ClusterSource.Started(
            home.ours(),
            TABLET_SERVERS,
            List.of(
                "--txn_manager_enabled",
                "--memory_limit_hard_bytes=" + ((long) memoryLimitMegabytes << 20)));
    Results results =
        new Results(new ArrayList<>(), new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
    try (StatusClient rpc = new StatusClient();
        TargetCluster cluster = source.open(directory, rpc);
        BatchingTrial trial = new BatchingTrial(cluster.masterAddresses(), TABLET_SERVERS)) {
      output.progress("warming up");
      trial.newTables();
      for (int rows : new int[] {1, 1_000}) {
        trial.batches(rows, seconds / 4, maxRows);
        trial.plainLoad(seconds / 4, maxRows);
      }
      plain(trial, cluster, results);
      for (int rows = 1; rows <= Math.min(maxBatch, maxRows); rows *= 10) {
        prepare(trial, cluster, String.format(Locale.ROOT, "batches of %,d rows", rows));
        results.batches.add(trial.batches(rows, seconds, maxRows));
        prepare(trial, cluster, String.format(Locale.ROOT, "batches of %,d rows, flowing", rows));
        results.flows.put(rows, trial.flow(rows, seconds, maxRows));
      }
      plain(trial, cluster, results);
    }
    return results;
  }

  private void plain(BatchingTrial trial, TargetCluster cluster, Results results) throws Exception {
    prepare(trial, cluster, "rows in the background, without batches");
    results.plainLoads.add(trial.plainLoad(seconds, maxRows));
    prepare(trial, cluster, "row by row, without batches");
    results.singleInserts.add(trial.singleInserts(seconds, maxRows));
  }

  private void prepare(BatchingTrial trial, TargetCluster cluster, String next) throws Exception {
    output.progress(next);
    trial.newTables();
    cluster.awaitIdle();
  }

  private Report report(Machine machine, Results results) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("seconds", seconds);
    settings.put("rows", maxRows);
    settings.put("memory_limit_mb", memoryLimitMegabytes);
    Table table =
        new Table(
            "",
            1,
            List.of(
                "rows of a batch",
                "batches",
                "rows/s",
                "rows/s, flowing",
                "batch, p50 (ms)",
                "p99",
                "visible, p50 (ms)",
                "p99"));
    results.batches.forEach(
        load -> addRow(table, count(load.rows()), load, results.flows.get(load.rows())));
    results.plainLoads.forEach(load -> addRow(table, "none, in the background", load, Double.NaN));
    results.singleInserts.forEach(load -> addRow(table, "none, row by row", load, Double.NaN));
    Goals goals = goals(results);
    Report report =
        new Report("Efficiency of batches", machine, settings)
            .table(table)
            .note(
                "The first of two lines was measured before the batches, the second one"
                    + " afterwards; goals use their mean.")
            .table(goals.table())
            .data("batches", numbers(results.batches))
            .data("flows", results.flows)
            .data("plain_loads", numbers(results.plainLoads))
            .data("single_inserts", numbers(results.singleInserts))
            .data("goals", goals.numbers());
    return addCharts(report, results);
  }

  private static void addRow(Table table, String name, Load load, double flow) {
    table.row(
        name,
        load.commits().getTotalCount() == 0 ? Table.ABSENT : count(load.batches()),
        Table.number(load.rowsPerSecond()),
        Table.number(flow),
        Table.number(load.commitMillis(50)),
        Table.number(load.commitMillis(99)),
        Table.number(load.visibleMillis(50)),
        Table.number(load.visibleMillis(99)));
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static Goals goals(Results results) {
    Goals goals = new Goals();
    goals.atLeast(
        "rows/s of batches of " + count(ROWS_OF_GOAL) + " rows, of those in the background",
        results.flows.getOrDefault(ROWS_OF_GOAL, Double.NaN) / results.plainRowsPerSecond(),
        LEAST_OF_PLAIN_LOAD);
    goals.atMost(
        "mean duration of a batch of one row, of a single insert",
        figure(results, 1, load -> load.seconds() * 1e3 / load.batches()) / results.singleMillis(),
        MOST_OF_PLAIN_INSERT);
    return goals;
  }

  /** A figure of batches with this number of rows; NaN if they were not measured. */
  private static double figure(Results results, int rows, ToDoubleFunction<Load> figure) {
    return results.batches.stream()
        .filter(load -> load.rows() == rows)
        .mapToDouble(figure)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static List<Map<String, Object>> numbers(List<Load> loads) {
    List<Map<String, Object>> numbers = new ArrayList<>();
    for (Load load : loads) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("rows", load.rows());
      entry.put("batches", load.batches());
      entry.put("rows_per_second", load.rowsPerSecond());
      if (load.commits().getTotalCount() > 0) {
        entry.put("batch_p50_ms", load.commitMillis(50));
        entry.put("batch_p99_ms", load.commitMillis(99));
      }
      entry.put("visible_p50_ms", load.visibleMillis(50));
      entry.put("visible_p99_ms", load.visibleMillis(99));
      numbers.add(entry);
    }
    return numbers;
  }

  private static Report addCharts(Report report, Results results) {
    List<Load> batches = results.batches;
    List<String> labels = batches.stream().map(load -> count(load.rows())).toList();
    double[] plain = new double[batches.size()];
    Arrays.fill(plain, results.plainRowsPerSecond());
    report.chart(
        new Chart(Chart.Kind.LINE, "Throughput", "rows/s", "rows of a batch", labels)
            .add("batches, one after the other", series(batches, Load::rowsPerSecond))
            .add("batches, flowing", series(batches, load -> results.flows.get(load.rows())))
            .add("in the background, without batches", plain));
    return report.chart(
        new Chart(Chart.Kind.LINE, "Delays", "ms", "rows of a batch", labels)
            .add("batch, p50", series(batches, load -> load.commitMillis(50)))
            .add("batch, p99", series(batches, load -> load.commitMillis(99)))
            .add("visible, p50", series(batches, load -> load.visibleMillis(50)))
            .add("visible, p99", series(batches, load -> load.visibleMillis(99))));
  }

  private static double[] series(List<Load> loads, ToDoubleFunction<Load> figure) {
    return loads.stream().mapToDouble(figure).toArray();
  }
}
