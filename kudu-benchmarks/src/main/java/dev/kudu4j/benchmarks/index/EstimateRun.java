package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Table;
import dev.kudu4j.benchmarks.selection.LoadedSides;
import dev.kudu4j.benchmarks.selection.OurSelections;
import dev.kudu4j.benchmarks.selection.Plan;
import dev.kudu4j.benchmarks.selection.Range;
import dev.kudu4j.benchmarks.selection.Selection;
import dev.kudu4j.client.KuduException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Random ranges on orders: how many rows the servers estimate, and how many there are; as loaded,
 * after updates of a tenth of the rows, and after their flush.
 */
final class EstimateRun {
  private static final int UPDATED_EVERY = 10;
  private static final double FACTOR = 2;
  private static final double PERCENT_WITHIN = 95;

  /**
   * @param estimated number of rows of the range that servers expect
   * @param rows the true number
   */
  private record Estimate(Range range, long estimated, long rows) {
    /** How far the estimate is from the number, as a factor of at least 1. */
    double factor() {
      double ratio = (estimated + 1.0) / (rows + 1.0);
      return Math.max(ratio, 1 / ratio);
    }
  }

  private final LoadedSides sides;
  private final OurSelections table;
  private final Orders orders;
  private final RandomGenerator random;
  private final Consumer<String> progress;
  private final Map<String, List<Estimate>> estimates = new LinkedHashMap<>(); // by title

  EstimateRun(LoadedSides sides, Orders orders, long seed, Consumer<String> progress) {
    this.sides = sides;
    this.table = sides.ours();
    this.orders = orders;
    this.random = new SplittableRandom(seed);
    this.progress = progress;
  }

  /** Compares, updates and compares again. */
  void run(int ranges) throws KuduException {
    estimate("as loaded", ranges);
    progress.accept("updating the customer of every tenth order");
    table.update(Orders.CUSTOMER, UPDATED_EVERY, row -> orders.customer(random));
    estimate("after updates of every tenth row", ranges);
    sides.ourCluster().flush();
    sides.ourCluster().awaitIdle();
    estimate("after updates and their flush", ranges);
  }

  private void estimate(String title, int count) throws KuduException {
    RandomRanges ranges = new RandomRanges(orders, random);
    List<Estimate> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Range range =
          i % 3 == 0 ? ranges.customer() : i % 3 == 1 ? ranges.customers() : ranges.dates();
      Selection counting = Selection.and(List.of(), range);
      long rows = table.answer(counting, sides.hint(Plan.NONE)).rows();
      long found = table.answer(counting, sides.hint(Plan.FORCED)).rows();
      if (found != rows) {
        throw new IllegalStateException(
            "%s: %d rows with the index, %d without".formatted(counting, found, rows));
      }
      all.add(new Estimate(range, table.estimate(range, sides.hint(Plan.CHOSEN)), rows));
    }
    estimates.put(title, all);
  }

  void addTo(Report report, Goals goals) {
    Table lines =
        new Table(
            "Estimated rows of random ranges, compared with the true number",
            1,
            List.of("", "ranges", "% within a factor of 2", "worst factor"));
    Map<String, Object> data = new LinkedHashMap<>();
    estimates.forEach(
        (title, all) -> {
          double within =
              100.0 * all.stream().filter(each -> each.factor() <= FACTOR).count() / all.size();
          double worst = all.stream().mapToDouble(Estimate::factor).max().orElse(Double.NaN);
          lines.row(title, String.valueOf(all.size()), Table.number(within), Table.number(worst));
          goals.atLeast("estimates within a factor of 2, " + title + ", %", within, PERCENT_WITHIN);
          data.put(title, all.stream().map(EstimateRun::numbers).toList());
        });
    report.table(lines).data("estimates", data);
  }

  private static Map<String, Object> numbers(Estimate estimate) {
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("range", estimate.range.toString());
    numbers.put("estimated", estimate.estimated);
    numbers.put("rows", estimate.rows);
    return numbers;
  }
}
