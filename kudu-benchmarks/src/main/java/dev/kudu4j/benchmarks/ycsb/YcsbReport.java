package dev.kudu4j.benchmarks.ycsb;

import dev.kudu4j.benchmarks.report.ComparisonTable;
import dev.kudu4j.benchmarks.report.Figure;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.benchmarks.ycsb.YcsbFigure.Statistic;
import java.util.function.Function;

/** What people read: the throughput of all phases at a glance, then each phase by itself. */
final class YcsbReport {
  private final YcsbSettings settings;
  private final ComparisonTable table;

  /**
   * @param titles of the sides
   */
  YcsbReport(YcsbSettings settings, Measurements measurements, Function<Side, String> titles) {
    this.settings = settings;
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
