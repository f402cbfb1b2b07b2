package dev.kudu4j.benchmarks.engine;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kudu4j.benchmarks.report.ComparisonTable;
import dev.kudu4j.benchmarks.report.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The figures of a run of the engine, each with its baseline and goal. */
final class EngineReport {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** The kind of goal of a figure. */
  enum Goal {
    /** Ours divided by the baseline is at most the goal. */
    RATIO_AT_MOST,
    /** Ours divided by the baseline is at least the goal. */
    RATIO_AT_LEAST,
    /** Ours is at most the goal. */
    AT_MOST,
    /** Ours is less than the goal. */
    BELOW,
    /** No goal; for information. */
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
    static Line told(String name, String unit, double ours) {
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
    progress.accept("    " + toMarkdown(line));
  }

  String toMarkdown() {
    StringBuilder table =
        new StringBuilder("| figure | unit | Kudu4j | baseline | | ratio | goal | |\n");
    table.append("| --- | --- | ---: | ---: | --- | ---: | --- | --- |\n");
    lines.forEach(line -> table.append(toMarkdown(line)).append('\n'));
    return table.toString();
  }

  private static String toMarkdown(Line line) {
    boolean alone = Double.isNaN(line.baseline());
    return String.join(
        " | ",
        "| " + line.name(),
        line.unit(),
        ComparisonTable.number(line.ours()),
        alone ? "" : ComparisonTable.number(line.baseline()),
        line.baselineName(),
        alone ? "" : ComparisonTable.number(line.ratio()),
        line.goalText(),
        (line.goal() == Goal.NONE ? "" : line.isReached() ? "reached" : "missed") + " |");
  }

  void write(Path file, Machine machine, Map<String, Object> settings) throws IOException {
    ObjectNode json = MAPPER.createObjectNode();
    json.set("machine", MAPPER.valueToTree(machine));
    json.set("settings", MAPPER.valueToTree(settings));
    ObjectNode figures = json.putObject("figures");
    for (Line line : lines) {
      ObjectNode figure = figures.putObject(line.name());
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
    }
    MAPPER.writeValue(file.toFile(), json);
  }
}
