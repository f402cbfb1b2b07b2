package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.index.InsertFigure.Measure;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.report.BaselinesTable;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.workload.LineItemPool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Inserts into tables with two local indexes and without, in turn on the same servers. */
final class InsertsPart {
  private static final List<Integer> RECORD_BYTES = List.of(16 << 10, 32 << 10, 64 << 10);
  private static final int CLIENTS = 8;

  private final double lineItemScale;
  private final long recordsBytes;
  private final Consumer<String> progress;

  /**
   * @param lineItemScale TPC-H's scale factor of {@code lineitem}
   * @param recordsBytes size of the records of each kind together
   */
  InsertsPart(double lineItemScale, long recordsBytes, Consumer<String> progress) {
    this.lineItemScale = lineItemScale;
    this.recordsBytes = recordsBytes;
    this.progress = progress;
  }

  @SuppressWarnings("try") // close() may be interrupted, which ends the process
  void run(RoundOptions rounds, ClusterSource source, Path directory, Report report, Goals goals)
      throws Exception {
    try (StatusClient rpc = new StatusClient();
        TargetCluster cluster = source.open(directory, rpc)) {
      List<InsertWork> works = new ArrayList<>();
      try {
        open(works, cluster.masterAddresses());
        Measurements<Indexing> measurements =
            new Measurements<>(InsertFigure.all(works), Arrays.asList(Indexing.values()));
        InsertRun run = new InsertRun(cluster, measurements, progress);
        run.saturated(works, rounds);
        run.atHalfOfTheRate(works, rounds);
        addTo(report, measurements);
        addGoals(works, measurements, goals);
      } finally {
        for (InsertWork work : works) {
          work.close();
        }
      }
    }
  }

  private void open(List<InsertWork> works, String masters) {
    works.add(new LineItemInserts(masters, new LineItemPool(lineItemScale)));
    for (int bytes : RECORD_BYTES) {
      works.add(new RecordInserts(masters, CLIENTS, bytes, recordsBytes));
    }
  }

  private static void addTo(Report report, Measurements<Indexing> measurements) {
    BaselinesTable<Indexing> tables = new BaselinesTable<>(measurements, Indexing::title);
    report.table(tables.table("Inserts, records by " + CLIENTS + " clients", figure -> true));
    report.chart(
        tables.chart(
            "Inserts until flushed",
            figure -> ((InsertFigure) figure).measure() == Measure.FLUSHED));
    report.data("inserts", tables.numbers());
  }

  private static void addGoals(
      List<InsertWork> works, Measurements<Indexing> measurements, Goals goals) {
    for (InsertWork work : works) {
      if (work.isSingle()) {
        addGoal(work, Measure.ANSWERED, 5, measurements, goals);
        addGoal(work, Measure.HALF_P50, 10, measurements, goals);
        addGoal(work, Measure.HALF_P99, 30, measurements, goals);
      } else {
        addGoal(work, Measure.FLUSHED, 10, measurements, goals);
      }
    }
  }

  private static void addGoal(
      InsertWork work,
      Measure measure,
      double maxPercent,
      Measurements<Indexing> measurements,
      Goals goals) {
    InsertFigure figure = new InsertFigure(work.title(), measure);
    double ratio = measurements.ratio(Indexing.TWO, Indexing.NONE, figure).orElse(Double.NaN);
    goals.atMost(
        "two local indexes, " + figure.title() + ": % more than without",
        100 * (ratio - 1),
        maxPercent);
  }
}
