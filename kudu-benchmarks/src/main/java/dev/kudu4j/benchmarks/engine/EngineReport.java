package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The figures of a run of the engine benchmark, each with its baseline and goal. */
final class EngineReport {
  private static final List<String> COLUMNS =
      List.of("figure", "unit", "Kudu4j", "baseline", "of", "ratio", "goal", "");

  /** The kind of goal of a figure. */
  enum Goal {
    /** The ratio of Kudu4j's value to the baseline must be at most the goal. */
    RATIO_AT_MOST,
    /** The ratio of Kudu4j's value to the baseline must be at least the goal. */
    RATIO_AT_LEAST,
    /** Kudu4j's value must be at most the goal. */
    AT_MOST,
    /** Kudu4j's value must be less than the goal. */
    BELOW,
    /** The figure has no goal and is only for information. */
    NONE
  }

  /**
   * @param baseline NaN if there is none
   */
  record Line(
      String name,
      String unit,
      double ours,
      double baseline,
      String baselineName,
      Goal goal,
      double limit) {
    /** A figure without baseline and goal. */
    static Line withoutBaseline(String name, String unit, double ours) {
      return new Line(name, unit, ours, Double.NaN, "", Goal.NONE, 0);
    }

    double ratio() {
      return ours / baseline;
    }

    boolean isReached() {
      return switch (goal) {
        case RATIO_AT_MOST -> ratio() <= limit;
        case RATIO_AT_LEAST -> ratio() >= limit;
        case AT_MOST -> ours <= limit;
        case BELOW -> ours < limit;
        case NONE -> true;
      };
    }

    String goalText() {
      return switch (goal) {
        case RATIO_AT_MOST -> "ratio ≤ " + limit;
        case RATIO_AT_LEAST -> "ratio ≥ " + limit;
        case AT_MOST -> "≤ " + limit + " " + unit;
        case BELOW -> "< " + limit + " " + unit;
        case NONE -> "";
      };
    }
  }

  private final List<Line> lines = new ArrayList<>();
  private final Consumer<String> progress;

  EngineReport(Consumer<String> progress) {
    this.progress = progress;
  }

  void add(Line line) {
    lines.add(line);
    progress.accept("    " + Table.markdownRow(cells(line)).trim());
  }

  Report addTo(Report report) {
    Table table = new Table("", 2, COLUMNS);
    lines.forEach(line -> table.row(cells(line)));
    return report.table(table).data("figures", numbers());
  }

  private static List<String> cells(Line line) {
    boolean alone = Double.isNaN(line.baseline());
    return List.of(
        line.name(),
        line.unit(),
        Table.number(line.ours()),
        alone ? "" : Table.number(line.baseline()),
        line.baselineName(),
        alone ? "" : Table.number(line.ratio()),
        line.goalText(),
        line.goal() == Goal.NONE ? "" : line.isReached() ? "reached" : "missed");
  }

  private Map<String, Object> numbers() {
    Map<String, Object> figures = new LinkedHashMap<>();
    for (Line line : lines) {
      Map<String, Object> figure = new LinkedHashMap<>();
      figure.put("unit", line.unit());
      figure.put("ours", line.ours());
      if (!Double.isNaN(line.baseline())) {
        figure.put("baseline", line.baseline());
        figure.put("baseline_name", line.baselineName());
        figure.put("ratio", line.ratio());
      }
      if (line.goal() != Goal.NONE) {
        figure.put("goal", line.goalText());
        figure.put("reached", line.isReached());
      }
      figures.put(line.name(), figure);
    }
    return figures;
  }
}
