package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.cluster.OurDistribution;
import dev.kudu4j.benchmarks.index.PointTable.Lookup;
import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.threads.ModelComparison;
import dev.kudu4j.benchmarks.threads.ThreadsReport;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Rows by an indexed value from many clients, under each thread model of the RPC server. */
final class ClientsPart {
  /** How many times as fast look-ups are expected to be if rows are in memory. */
  private static final int IN_MEMORY = 15;

  private final ModelComparison comparison;
  private final PointTable table;
  private final Consumer<String> progress;

  ClientsPart(ModelComparison comparison, PointTable table, Consumer<String> progress) {
    this.comparison = comparison;
    this.table = table;
    this.progress = progress;
  }

  void run(OurDistribution ours, Path directory, Report report, Goals goals) throws Exception {
    ThreadsReport result = comparison.run(table, ours, directory, progress);
    result.addTo(report);
    report.chart(speeds(result, Lookup.NUMBER_INDEXED, Lookup.NUMBER_SCANNED));
    report.chart(speeds(result, Lookup.TEXT_INDEXED, Lookup.TEXT_SCANNED));
    int clients = comparison.clients().get(0);
    String model = comparison.models().get(comparison.models().size() - 1);
    addGoals(result, clients, model, goals);
  }

  /** How many times as fast as without index, over the number of clients. */
  private Chart speeds(ThreadsReport result, Lookup indexed, Lookup scanned) {
    List<Integer> clients = comparison.clients();
    Chart chart =
        new Chart(
            Chart.Kind.LINE,
            indexed.title() + ": how many times as fast as without index, p50",
            "ratio",
            "clients",
            clients.stream().map(String::valueOf).toList());
    for (String model : comparison.models()) {
      chart.add(
          model,
          clients.stream()
              .mapToDouble(count -> speed(result, indexed, scanned, count, model))
              .toArray());
    }
    return chart;
  }

  private static double speed(
      ThreadsReport result, Lookup indexed, Lookup scanned, int clients, String model) {
    return result.medianMicros(scanned.title(), clients, model)
        / result.medianMicros(indexed.title(), clients, model);
  }

  private void addGoals(ThreadsReport result, int clients, String model, Goals goals) {
    String end =
        ", %s, %d clients, %s"
            .formatted(table.isInMemory() ? "in memory" : "flushed", clients, model);
    goals.atLeast(
        "INT32 = x, times as fast as without index, p50" + end,
        speed(result, Lookup.NUMBER_INDEXED, Lookup.NUMBER_SCANNED, clients, model),
        table.isInMemory() ? IN_MEMORY : 3);
    goals.atLeast(
        "INT32 = x, less server CPU than without index, times" + end,
        result.cpuMicros(Lookup.NUMBER_SCANNED.title(), clients, model)
            / result.cpuMicros(Lookup.NUMBER_INDEXED.title(), clients, model),
        8);
    goals.atLeast(
        "STRING = x, times as fast as without index, p50" + end,
        speed(result, Lookup.TEXT_INDEXED, Lookup.TEXT_SCANNED, clients, model),
        table.isInMemory() ? IN_MEMORY : 15);
  }
}
