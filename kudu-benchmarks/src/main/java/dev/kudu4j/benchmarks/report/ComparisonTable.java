package dev.kudu4j.benchmarks.report;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The figures as a Markdown table: medians over the rounds, with the least and the most in
 * brackets, and how we compare.
 */
public final class ComparisonTable {
  private static final String ABSENT = "-";

  private final Measurements measurements;

  public ComparisonTable(Measurements measurements) {
    this.measurements = measurements;
  }

  public String toMarkdown() {
    StringBuilder table = new StringBuilder();
    line(table, "figure", "unit", Side.OURS.title(), Side.PUBLISHED.title(), "ratio", "");
    line(table, "---", "---", "---:", "---:", "---:", "---");
    for (Figure figure : Figure.values()) {
      if (measurements.has(figure)) {
        line(
            table,
            figure.title(),
            figure.unit(),
            cell(Side.OURS, figure),
            cell(Side.PUBLISHED, figure),
            ratio(figure),
            verdict(figure));
      }
    }
    return table.toString();
  }

  private static void line(StringBuilder table, String... cells) {
    table.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private String cell(Side side, Figure figure) {
    double[] values = measurements.of(side, figure);
    if (values.length == 0) {
      return ABSENT;
    }
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    String median = number(Samples.median(values));
    return values.length == 1 ? median : median + " (" + number(least) + "–" + number(most) + ")";
  }

  private String ratio(Figure figure) {
    OptionalDouble ratio = measurements.ratio(figure);
    return ratio.isEmpty() ? ABSENT : number(ratio.getAsDouble());
  }

  private String verdict(Figure figure) {
    OptionalDouble ratio = measurements.ratio(figure);
    if (ratio.isEmpty()) {
      return "";
    }
    boolean more = ratio.getAsDouble() > 1;
    return more == figure.moreIsBetter() ? "better" : "worse";
  }

  /** Three significant digits; whole numbers from 100. */
  static String number(double value) {
    double size = Math.abs(value);
    if (size >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    int decimals = size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
