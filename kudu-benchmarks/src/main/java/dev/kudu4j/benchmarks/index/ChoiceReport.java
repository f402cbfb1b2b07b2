package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.index.ChoiceRun.Outcome;
import dev.kudu4j.benchmarks.report.Chart;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Samples;
import dev.kudu4j.benchmarks.report.Table;
import dev.kudu4j.benchmarks.selection.Plan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The tables and charts of a {@link ChoiceRun}. */
final class ChoiceReport {
  private static final int WORST_SHOWN = 10;

  private final List<Outcome> outcomes;

  /**
   * @param outcomes at least one
   */
  ChoiceReport(List<Outcome> outcomes) {
    this.outcomes = List.copyOf(outcomes);
  }

  void addTo(Report report, Goals goals) {
    report.table(ratios(goals));
    report.table(worst(ChoiceReport::toBest));
    report.chart(times());
    report.chart(sortedRatios());
    report.data("choice", outcomes.stream().map(ChoiceReport::numbers).toList());
  }

  private static double toBest(Outcome outcome) {
    return outcome.ratio(Plan.CHOSEN, Plan.FORCED, Plan.NONE);
  }

  private static double toNone(Outcome outcome) {
    return outcome.ratio(Plan.CHOSEN, Plan.NONE, Plan.NONE);
  }

  private static double includingToBest(Outcome outcome) {
    return outcome.ratio(Plan.INCLUDING, Plan.INCLUDING_FORCED, Plan.NONE);
  }

  private static double includingToNone(Outcome outcome) {
    return outcome.ratio(Plan.INCLUDING, Plan.NONE, Plan.NONE);
  }

  private Table ratios(Goals goals) {
    Table table =
        new Table(
            "Random predicates: time of the chosen plan, as a multiple of",
            1,
            List.of("", "predicates", "median", "p95", "worst"));
    addRatio(table, "the better one of forced index and no index", ChoiceReport::toBest);
    addRatio(table, "no index", ChoiceReport::toNone);
    addRatio(table, "the better one, indexes with INCLUDE (*)", ChoiceReport::includingToBest);
    addRatio(table, "no index, indexes with INCLUDE (*)", ChoiceReport::includingToNone);
    String chosen = "random predicates, chosen plan as a multiple of ";
    goals.atMost(chosen + "the best one: median", percentile(ChoiceReport::toBest, 50), 1.05);
    goals.atMost(chosen + "the best one: worst", percentile(ChoiceReport::toBest, 100), 1.3);
    goals.atMost(chosen + "no index: worst", percentile(ChoiceReport::toNone, 100), 1.1);
    return table;
  }

  private void addRatio(Table table, String title, ToDoubleFunction<Outcome> ratio) {
    table.row(
        title,
        String.valueOf(outcomes.size()),
        Table.number(percentile(ratio, 50)),
        Table.number(percentile(ratio, 95)),
        Table.number(percentile(ratio, 100)));
  }

  private double percentile(ToDoubleFunction<Outcome> value, double percent) {
    return Samples.percentile(outcomes.stream().mapToDouble(value).toArray(), percent);
  }

  private Table worst(ToDoubleFunction<Outcome> ratio) {
    Table table =
        new Table(
            "The worst choices (ms)",
            1,
            List.of(
                "predicate", "rows", "uses the index", "ratio", "no index", "forced", "chosen"));
    outcomes.stream()
        .sorted(Comparator.comparingDouble(ratio).reversed())
        .limit(WORST_SHOWN)
        .forEach(
            outcome ->
                table.row(
                    outcome.selection().toString(),
                    "%,d".formatted(outcome.rows()),
                    outcome.chosenUsesIndex() ? "yes" : "no",
                    Table.number(ratio.applyAsDouble(outcome)),
                    Table.number(outcome.millis().get(Plan.NONE)),
                    Table.number(outcome.millis().get(Plan.FORCED)),
                    Table.number(outcome.millis().get(Plan.CHOSEN))));
    return table;
  }

  private Chart times() {
    List<Outcome> byRows =
        outcomes.stream().sorted(Comparator.comparingLong(Outcome::rows)).toList();
    Chart chart =
        new Chart(
            Chart.Kind.LINE,
            "Random predicates by the number of their rows",
            "ms",
            "rows",
            byRows.stream().map(outcome -> String.valueOf(outcome.rows())).toList());
    for (Plan plan : ChoiceRun.PLANS) {
      chart.add(
          plan.title(),
          byRows.stream().mapToDouble(outcome -> outcome.millis().get(plan)).toArray());
    }
    return chart;
  }

  private Chart sortedRatios() {
    List<String> ranks = new ArrayList<>();
    for (int i = 1; i <= outcomes.size(); i++) {
      ranks.add(String.valueOf(i));
    }
    return new Chart(
            Chart.Kind.LINE,
            "Time of the chosen plan as a multiple of another one, in ascending order",
            "ratio",
            "predicates",
            ranks)
        .add(
            "best of forced and none",
            outcomes.stream().mapToDouble(ChoiceReport::toBest).sorted().toArray())
        .add("no index", outcomes.stream().mapToDouble(ChoiceReport::toNone).sorted().toArray());
  }

  private static Map<String, Object> numbers(Outcome outcome) {
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("selection", outcome.selection().toString());
    numbers.put("rows", outcome.rows());
    numbers.put("chosen_uses_index", outcome.chosenUsesIndex());
    outcome.millis().forEach((plan, millis) -> numbers.put(plan.key() + "_millis", millis));
    return numbers;
  }
}
