package dev.kudu4j.benchmarks.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Formats the measurements of a subject next to one or more baselines. The subject is the first
 * side. Less is better in all figures, so a ratio below 1 is in favour of the subject.
 *
 * <pre>
 *   figure | unit | Kudu4j        | DuckDB        | ratio | Parquet | ratio
 *   Q1     | ms   | 1.2 (1.1–1.4) | 2.4 (2.3–2.6) | 0.500 | 3.6     | 0.333
 * </pre>
 *
 * @param <S> what is compared
 */
public final class BaselinesTable<S> {
  /** The ratio of the subject to a baseline in one figure. */
  private record Ratio(Figure figure, double value) {
    @Override
    public String toString() {
      return Table.number(value) + " (" + figure.title() + ")";
    }
  }

  private final Measurements<S> measurements;
  private final Function<S, String> titles;
  private final S subject;
  private final List<S> baselines;

  /**
   * @param measurements the measurements of at least one side
   * @param titles title of each side, for the columns
   */
  public BaselinesTable(Measurements<S> measurements, Function<S, String> titles) {
    this.measurements = measurements;
    this.titles = titles;
    List<S> sides = measurements.sides();
    this.subject = sides.get(0);
    this.baselines = sides.subList(1, sides.size());
  }

  /** A table of the figures that satisfy {@code chosen}. */
  public Table table(String heading, Predicate<Figure> chosen) {
    List<String> columns = new ArrayList<>(List.of("figure", "unit", titles.apply(subject)));
    for (S baseline : baselines) {
      columns.add(titles.apply(baseline));
      columns.add("ratio");
    }
    Table table = new Table(heading, 2, columns);
    figures(chosen).forEach(figure -> table.row(row(figure)));
    return table;
  }

  private List<Figure> figures(Predicate<Figure> chosen) {
    return measurements.figures().stream().filter(chosen).toList();
  }

  private List<String> row(Figure figure) {
    List<String> cells = new ArrayList<>(List.of(figure.title(), figure.unit()));
    cells.add(Table.medianAndRange(measurements.of(subject, figure)));
    for (S baseline : baselines) {
      cells.add(Table.medianAndRange(measurements.of(baseline, figure)));
      OptionalDouble ratio = measurements.ratio(subject, baseline, figure);
      cells.add(ratio.isEmpty() ? Table.ABSENT : Table.number(ratio.getAsDouble()));
    }
    return cells;
  }

  /**
   * The summary of each baseline: the geometric mean of the ratios to it, the best and the worst
   * one.
   */
  public Table summary(Predicate<Figure> chosen) {
    Table table =
        new Table(
            "Ratios of " + titles.apply(subject),
            1,
            List.of("to", "figures", "geometric mean", "best", "worst", "above 1"));
    for (S baseline : baselines) {
      List<Ratio> ratios = ratios(baseline, chosen);
      if (!ratios.isEmpty()) {
        table.row(
            titles.apply(baseline),
            String.valueOf(ratios.size()),
            Table.number(geometricMean(ratios)),
            ratios.get(0).toString(),
            ratios.get(ratios.size() - 1).toString(),
            String.valueOf(ratios.stream().filter(ratio -> ratio.value > 1).count()));
      }
    }
    return table;
  }

  /** The ratios to a baseline, the best first. */
  private List<Ratio> ratios(S baseline, Predicate<Figure> chosen) {
    List<Ratio> ratios = new ArrayList<>();
    for (Figure figure : figures(chosen)) {
      measurements
          .ratio(subject, baseline, figure)
          .ifPresent(ratio -> ratios.add(new Ratio(figure, ratio)));
    }
    ratios.sort(Comparator.comparingDouble(Ratio::value));
    return ratios;
  }

  private static double geometricMean(List<Ratio> ratios) {
    return Samples.geometricMean(ratios.stream().mapToDouble(Ratio::value).toArray());
  }

  /** Bars of the medians of figures with the same unit. */
  public Chart chart(String title, Predicate<Figure> chosen) {
    List<Figure> figures = figures(chosen);
    Chart chart = chartOf(title, figures.isEmpty() ? "" : figures.get(0).unit(), figures);
    for (S side : measurements.sides()) {
      chart.add(
          titles.apply(side),
          figures.stream().mapToDouble(figure -> measurements.median(side, figure)).toArray());
    }
    return chart;
  }

  /** Bars of the ratios of the subject to each baseline. */
  public Chart ratioChart(String title, Predicate<Figure> chosen) {
    List<Figure> figures = figures(chosen);
    Chart chart = chartOf(title, "ratio", figures);
    for (S baseline : baselines) {
      chart.add(
          "to " + titles.apply(baseline),
          figures.stream()
              .mapToDouble(
                  figure -> measurements.ratio(subject, baseline, figure).orElse(Double.NaN))
              .toArray());
    }
    return chart;
  }

  private static Chart chartOf(String title, String unit, List<Figure> figures) {
    return new Chart(Chart.Kind.BAR, title, unit, "", figures.stream().map(Figure::title).toList());
  }

  /** All measured numbers, by figure and then by side, for {@link Report#data}. */
  public Map<String, Object> numbers() {
    Map<String, Object> numbers = new LinkedHashMap<>();
    for (Figure figure : measurements.figures()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("title", figure.title());
      entry.put("unit", figure.unit());
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
    if (baselines.contains(side)) {
      measurements
          .ratio(subject, side, figure)
          .ifPresent(ratio -> numbers.put("ratio_of_subject", ratio));
    }
    numbers.put("rounds", values);
    return numbers;
  }
}
