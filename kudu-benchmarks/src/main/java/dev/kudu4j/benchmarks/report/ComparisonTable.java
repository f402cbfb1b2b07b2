package dev.kudu4j.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The figures as a Markdown table: medians over the rounds, with minimum and maximum in brackets,
 * each with its ratio to the baseline.
 */
public final class ComparisonTable {
  private static final String ABSENT = "-";

  private final Measurements measurements;
  private final Function<Side, String> titles;

  public ComparisonTable(Measurements measurements) {
    this(measurements, Side::title);
  }

  /**
   * @param titles titles of the columns
   */
  public ComparisonTable(Measurements measurements, Function<Side, String> titles) {
    this.measurements = measurements;
    this.titles = titles;
  }

  public String toMarkdown() {
    return toMarkdown(figure -> true);
  }

  /** Selected figures. */
  public String toMarkdown(Predicate<Figure> chosen) {
    List<Side> sides = measurements.sides();
    StringBuilder table = new StringBuilder();
    line(table, row("figure", "unit", sides, titles, side -> "ratio"));
    line(table, row("---", "---", sides, side -> "---:", side -> "---:"));
    for (Figure figure : measurements.figures().stream().filter(chosen).toList()) {
      line(
          table,
          row(
              figure.title(),
              figure.unit(),
              sides,
              side -> cell(side, figure),
              side -> ratio(side, figure)));
    }
    return table.toString();
  }

  /** Every side except the baseline has a column with its ratio. */
  private List<String> row(
      String figure,
      String unit,
      List<Side> sides,
      Function<Side, String> value,
      Function<Side, String> ratio) {
    List<String> cells = new ArrayList<>(List.of(figure, unit));
    for (Side side : sides) {
      cells.add(value.apply(side));
      if (measurements.hasRatio(side)) {
        cells.add(ratio.apply(side));
      }
    }
    return cells;
  }

  private static void line(StringBuilder table, List<String> cells) {
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

  private String ratio(Side side, Figure figure) {
    OptionalDouble ratio = measurements.ratio(side, figure);
    if (ratio.isEmpty()) {
      return ABSENT;
    }
    boolean more = ratio.getAsDouble() > 1;
    return number(ratio.getAsDouble()) + (more == figure.moreIsBetter() ? " better" : " worse");
  }

  /** Three significant digits; integers from 100 on. */
  public static String number(double value) {
    double size = Math.abs(value);
    if (size >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    int decimals = size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
