package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.cluster.OurDistribution;
import dev.kudu4j.benchmarks.index.PointTable.Lookup;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.threads.ModelComparison;
import dev.kudu4j.benchmarks.threads.ThreadsReport;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Rows by an indexed value from many clients, under each thread model of the RPC server. */
final class ClientsPart {
  private final ModelComparison comparison;
  private final int rows;
  private final Consumer<String> progress;

  /**
   * @param rows number of rows of the table
   */
  ClientsPart(ModelComparison comparison, int rows, Consumer<String> progress) {
    this.comparison = comparison;
    this.rows = rows;
    this.progress = progress;
  }

  void run(OurDistribution ours, Path directory, Report report, Goals goals) throws Exception {
    ThreadsReport result = comparison.run(new PointTable(rows), ours, directory, progress);
    result.addTo(report);
    int clients = comparison.clients().get(0);
    String model = comparison.models().get(comparison.models().size() - 1);
    addGoals(result, clients, model, goals);
  }

  private static void addGoals(ThreadsReport result, int clients, String model, Goals goals) {
    String end = ", %d clients, %s".formatted(clients, model);
    goals.atLeast(
        "INT32 = x, times as fast as without index, p50" + end,
        result.medianMicros(Lookup.NUMBER_SCANNED.title(), clients, model)
            / result.medianMicros(Lookup.NUMBER_INDEXED.title(), clients, model),
        3);
    goals.atLeast(
        "INT32 = x, less server CPU than without index, times" + end,
        result.cpuMicros(Lookup.NUMBER_SCANNED.title(), clients, model)
            / result.cpuMicros(Lookup.NUMBER_INDEXED.title(), clients, model),
        8);
    goals.atLeast(
        "STRING = x, times as fast as without index, p50" + end,
        result.medianMicros(Lookup.TEXT_SCANNED.title(), clients, model)
            / result.medianMicros(Lookup.TEXT_INDEXED.title(), clients, model),
        15);
  }
}
