package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.cluster.TargetCluster;
import dev.kudu4j.benchmarks.index.InsertFigure.Measure;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.report.BaselinesTable;
import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.ComparisonTable;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.workload.LineItemPool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Inserts into tables with two indexes of each kind and without, in turn on the same servers. */
final class InsertsPart {
  private static final List<Integer> RECORD_BYTES = List.of(16 << 10, 32 << 10, 64 << 10);
  private static final int CLIENTS = 8;
  private static final List<Measure> CHARTS =
      List.of(Measure.ANSWERED, Measure.FLUSHED, Measure.HALF_P50, Measure.HALF_P99);

  /** Percent more than without index, of two indexes of five columns, in the paper. */
  private static final Map<String, Integer> PAPER =
      new TreeMap<>(Map.of("CCIndex", 94, "Phoenix", 23, "RDMA-HBase", 57));

  private final double lineItemScale;
  private final long recordsBytes;
  private final List<Indexing> kinds;
  private final Consumer<String> progress;

  /**
   * @param lineItemScale TPC-H's scale factor of {@code lineitem}
   * @param recordsBytes size of the records of each kind together
   * @param kinds the kinds of indexes that are compared with none
   */
  InsertsPart(
      double lineItemScale, long recordsBytes, Set<Indexing> kinds, Consumer<String> progress) {
    this.lineItemScale = lineItemScale;
    this.recordsBytes = recordsBytes;
    this.kinds =
        Stream.of(Indexing.values())
            .filter(kind -> kind == Indexing.NONE || kinds.contains(kind))
            .toList();
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
        Measurements<Indexing> measurements = new Measurements<>(InsertFigure.all(works), kinds);
        InsertRun run = new InsertRun(cluster, kinds, measurements, progress);
        run.saturated(works, rounds);
        run.atHalfOfTheRate(works, rounds);
        addTo(report, works, measurements);
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

  private void addTo(Report report, List<InsertWork> works, Measurements<Indexing> measurements) {
    ComparisonTable<Indexing> table = new ComparisonTable<>(measurements, Indexing::title);
    report.table(
        table.table("Inserts, two indexes, records by " + CLIENTS + " clients", figure -> true));
    report.data("inserts", table.numbers());
    report.chart(more(works, measurements));
    BaselinesTable<Indexing> bars = new BaselinesTable<>(measurements, Indexing::title);
    for (Measure measure : CHARTS) {
      report.chart(
          bars.chart(
              "Inserts, " + measure.title(),
              figure -> ((InsertFigure) figure).measure() == measure));
    }
  }

  /** The figure of the paper with ours beside it. */
  private Chart more(List<InsertWork> works, Measurements<Indexing> measurements) {
    List<InsertWork> records = works.stream().filter(InsertWork::isSingle).toList();
    Chart chart =
        new Chart(
            Chart.Kind.BAR,
            "Saturated inserts: more than without index",
            "%",
            "",
            records.stream().map(InsertWork::title).toList());
    for (Indexing kind : indexed()) {
      chart.add(
          kind.title(),
          records.stream()
              .mapToDouble(work -> percentMore(work, Measure.ANSWERED, kind, measurements))
              .toArray());
    }
    PAPER.forEach(
        (name, percent) ->
            chart.add("paper: " + name, records.stream().mapToDouble(work -> percent).toArray()));
    return chart;
  }

  private List<Indexing> indexed() {
    return kinds.stream().filter(kind -> kind != Indexing.NONE).toList();
  }

  private void addGoals(List<InsertWork> works, Measurements<Indexing> measurements, Goals goals) {
    for (Indexing kind : indexed()) {
      for (InsertWork work : works) {
        if (work.isSingle()) {
          addGoal(work, Measure.ANSWERED, kind, kind.maxPercent(), measurements, goals);
          addGoal(work, Measure.HALF_P50, kind, 10, measurements, goals);
          addGoal(work, Measure.HALF_P99, kind, 30, measurements, goals);
        } else if (kind == Indexing.LOCAL) {
          addGoal(work, Measure.FLUSHED, kind, 10, measurements, goals);
        }
      }
    }
  }

  private static void addGoal(
      InsertWork work,
      Measure measure,
      Indexing kind,
      double maxPercent,
      Measurements<Indexing> measurements,
      Goals goals) {
    goals.atMost(
        "two %s indexes, %s: %% more than without"
            .formatted(kind.title(), new InsertFigure(work.title(), measure).title()),
        percentMore(work, measure, kind, measurements),
        maxPercent);
  }

  private static double percentMore(
      InsertWork work, Measure measure, Indexing kind, Measurements<Indexing> measurements) {
    InsertFigure figure = new InsertFigure(work.title(), measure);
    double ratio = measurements.ratio(kind, Indexing.NONE, figure).orElse(Double.NaN);
    return 100 * (ratio - 1);
  }
}
