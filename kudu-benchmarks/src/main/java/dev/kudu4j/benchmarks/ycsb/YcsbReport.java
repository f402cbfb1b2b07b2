package dev.kudu4j.benchmarks.ycsb;

import dev.kudu4j.benchmarks.report.BarChart;
import dev.kudu4j.benchmarks.report.ComparisonTable;
import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Samples;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.benchmarks.ycsb.YcsbFigure.Statistic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** What people read: the throughput of all phases at a glance, then each phase by itself. */
final class YcsbReport {
  private final YcsbSettings settings;
  private final Measurements measurements;
  private final Function<Side, String> titles;
  private final ComparisonTable table;

  /**
   * @param titles of the sides
   */
  YcsbReport(YcsbSettings settings, Measurements measurements, Function<Side, String> titles) {
    this.settings = settings;
    this.measurements = measurements;
    this.titles = titles;
    this.table = new ComparisonTable(measurements, titles);
  }

  String toMarkdown() {
    StringBuilder text = new StringBuilder();
    append(text, "Throughput", figure -> figure.statistic() == Statistic.THROUGHPUT);
    appendPhase(text, "Load: inserts", YcsbFigure.LOAD);
    for (RequestDistribution distribution : settings.distributions()) {
      for (StandardWorkload workload : settings.workloads()) {
        appendPhase(
            text,
            workload + ", " + distribution.word() + ": " + workload.summary(),
            YcsbFigure.phase(workload, distribution));
      }
    }
    return text.toString();
  }

  /** A page of plots. */
  void writeHtml(Path file, Machine machine) throws IOException {
    StringBuilder page =
        new StringBuilder("<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>YCSB</title>");
    page.append("<style>body{font-family:sans-serif;margin:2em}</style></head><body>\n");
    page.append("<h1>YCSB</h1><p>").append(machine).append("</p>\n");
    for (RequestDistribution distribution : settings.distributions()) {
      String word = distribution.word();
      page.append(chart(distribution, "Throughput, " + word, Statistic.THROUGHPUT).toHtml());
      for (Statistic statistic : List.of(Statistic.P50, Statistic.P99)) {
        String title = statistic.title() + " of the workload's main operation, " + word;
        page.append(chart(distribution, title, statistic).toHtml());
      }
    }
    Files.writeString(file, page.append("</body></html>\n"));
  }

  private BarChart chart(RequestDistribution distribution, String title, Statistic statistic) {
    List<Side> sides = measurements.sides();
    BarChart chart = new BarChart(title, statistic.unit(), sides.stream().map(titles).toList());
    for (StandardWorkload workload : settings.workloads()) {
      String phase = YcsbFigure.phase(workload, distribution);
      OperationKind first = workload.kinds().get(0);
      YcsbFigure figure =
          statistic.isPercentile()
              ? YcsbFigure.of(phase, first, statistic)
              : YcsbFigure.of(phase, statistic);
      String name = statistic.isPercentile() ? first.title() + " of " + workload : workload.name();
      chart.add(name, sides.stream().mapToDouble(side -> median(side, figure)).toArray());
    }
    return chart;
  }

  private double median(Side side, YcsbFigure figure) {
    double[] values = measurements.of(side, figure);
    return values.length == 0 ? Double.NaN : Samples.median(values);
  }

  private void appendPhase(StringBuilder text, String heading, String phase) {
    append(text, heading, figure -> figure.phase().equals(phase));
  }

  private interface Choice {
    boolean has(YcsbFigure figure);
  }

  private void append(StringBuilder text, String heading, Choice choice) {
    if (text.length() > 0) {
      text.append('\n');
    }
    text.append("**").append(heading).append("**\n\n");
    text.append(table.toMarkdown(figure -> isChosen(figure, choice)));
  }

  private static boolean isChosen(Figure figure, Choice choice) {
    return figure instanceof YcsbFigure ycsb && choice.has(ycsb);
  }
}
