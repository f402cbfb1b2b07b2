package dev.kudu4j.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Formats measurements as tables and as numbers. A table has the medians over the rounds, with
 * minimum and maximum in brackets, and the ratio to the baseline.
 *
 * @param <S> what is compared
 */
public final class ComparisonTable<S> {
  private final Measurements<S> measurements;
  private final Function<S, String> titles;

  /** A comparison of servers and clients. */
  public static ComparisonTable<Side> ofSides(Measurements<Side> measurements) {
    return new ComparisonTable<>(measurements, Side::title);
  }

  /**
   * @param titles title of each side, for the columns
   */
  public ComparisonTable(Measurements<S> measurements, Function<S, String> titles) {
    this.measurements = measurements;
    this.titles = titles;
  }

  public Table table() {
    return table("", figure -> true);
  }

  /** A table of the figures that satisfy {@code chosen}. */
  public Table table(String heading, Predicate<Figure> chosen) {
    Table table = new Table(heading, 2, row("figure", "unit", titles, side -> "ratio"));
    for (Figure figure : measurements.figures().stream().filter(chosen).toList()) {
      table.row(
          row(
              figure.title(),
              figure.unit(),
              side -> cell(side, figure),
              side -> ratio(side, figure)));
    }
    return table;
  }

  /**
   * A row of the table: figure, unit, a value for each side, and a ratio for each side except the
   * baseline.
   */
  private List<String> row(
      String figure, String unit, Function<S, String> value, Function<S, String> ratio) {
    List<String> cells = new ArrayList<>(List.of(figure, unit));
    for (S side : measurements.sides()) {
      cells.add(value.apply(side));
      if (measurements.hasRatio(side)) {
        cells.add(ratio.apply(side));
      }
    }
    return cells;
  }

  private String cell(S side, Figure figure) {
    return Table.medianAndRange(measurements.of(side, figure));
  }

  private String ratio(S side, Figure figure) {
    OptionalDouble ratio = measurements.ratio(side, figure);
    if (ratio.isEmpty()) {
      return Table.ABSENT;
    }
    boolean more = ratio.getAsDouble() > 1;
    return Table.number(ratio.getAsDouble())
        + (more == figure.moreIsBetter() ? " better" : " worse");
  }

  /** All measured numbers, by figure and then by side, for {@link Report#data}. */
  public Map<String, Object> numbers() {
    Map<String, Object> numbers = new LinkedHashMap<>();
    for (Figure figure : measurements.figures()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("title", figure.title());
      entry.put("unit", figure.unit());
      entry.put("more_is_better", figure.moreIsBetter());
      for (S side : measurements.sides()) {
        double[] values = measurements.of(side, figure);
        if (values.length > 0) {
          entry.put(side.toString().toLowerCase(Locale.ROOT), numbers(side, figure, values));
        }
      }
      numbers.put(figure.key(), entry);
    }
    return numbers;
  }

  private Map<String, Object> numbers(S side, Figure figure, double[] values) {
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("median", Samples.median(values));
    if (measurements.hasRatio(side)) {
      measurements.ratio(side, figure).ifPresent(ratio -> numbers.put("ratio", ratio));
    }
    numbers.put("rounds", values);
    return numbers;
  }
}
