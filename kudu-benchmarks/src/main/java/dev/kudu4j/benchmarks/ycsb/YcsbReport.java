package dev.kudu4j.benchmarks.ycsb;

import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.ComparisonTable;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Samples;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.benchmarks.report.Table;
import dev.kudu4j.benchmarks.ycsb.YcsbFigure.Statistic;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The report: a table of the throughput of all phases, then a table for each phase, with charts.
 */
final class YcsbReport {
  private static final List<Statistic> DRAWN =
      List.of(Statistic.THROUGHPUT, Statistic.P50, Statistic.P99);

  private final YcsbSettings settings;
  private final Measurements<Side> measurements;
  private final Function<Side, String> titles;
  private final ComparisonTable<Side> comparison;

  /**
   * @param titles titles of the sides
   */
  YcsbReport(
      YcsbSettings settings, Measurements<Side> measurements, Function<Side, String> titles) {
    this.settings = settings;
    this.measurements = measurements;
    this.titles = titles;
    this.comparison = new ComparisonTable<>(measurements, titles);
  }

  Report addTo(Report report) {
    report.table(table("Throughput", f -> f.statistic() == Statistic.THROUGHPUT));
    report.table(phase("Load: inserts", YcsbFigure.LOAD));
    for (RequestDistribution distribution : settings.distributions()) {
      for (StandardWorkload workload : settings.workloads()) {
        report.table(
            phase(
                workload + ", " + distribution.word() + ": " + workload.summary(),
                YcsbFigure.phase(workload, distribution)));
      }
      DRAWN.forEach(statistic -> report.chart(chart(distribution, statistic)));
    }
    return report.data("figures", comparison.numbers());
  }

  private Table phase(String heading, String phase) {
    return table(heading, figure -> figure.phase().equals(phase));
  }

  private Table table(String heading, Predicate<YcsbFigure> chosen) {
    return comparison.table(
        heading, figure -> figure instanceof YcsbFigure ycsb && chosen.test(ycsb));
  }

  private Chart chart(RequestDistribution distribution, Statistic statistic) {
    String word = distribution.word();
    String title =
        statistic.isPercentile()
            ? statistic.title() + " of the workload's main operation, " + word
            : "Throughput, " + word;
    Chart chart =
        new Chart(
            Chart.Kind.BAR,
            title,
            statistic.unit(),
            "",
            settings.workloads().stream().map(workload -> label(workload, statistic)).toList());
    for (Side side : measurements.sides()) {
      chart.add(
          titles.apply(side),
          settings.workloads().stream()
              .mapToDouble(workload -> median(side, figure(workload, distribution, statistic)))
              .toArray());
    }
    return chart;
  }

  private static OperationKind mainOperation(StandardWorkload workload) {
    return workload.kinds().get(0);
  }

  private static String label(StandardWorkload workload, Statistic statistic) {
    return statistic.isPercentile()
        ? mainOperation(workload).title() + " of " + workload
        : workload.name();
  }

  private static YcsbFigure figure(
      StandardWorkload workload, RequestDistribution distribution, Statistic statistic) {
    String phase = YcsbFigure.phase(workload, distribution);
    return statistic.isPercentile()
        ? YcsbFigure.of(phase, mainOperation(workload), statistic)
        : YcsbFigure.of(phase, statistic);
  }

  private double median(Side side, YcsbFigure figure) {
    double[] values = measurements.of(side, figure);
    return values.length == 0 ? Double.NaN : Samples.median(values);
  }
}
