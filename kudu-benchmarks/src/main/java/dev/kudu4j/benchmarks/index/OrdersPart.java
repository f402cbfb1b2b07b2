package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.StatusClient;
import dev.kudu4j.benchmarks.options.RoundOptions;
import dev.kudu4j.benchmarks.report.Goals;
import dev.kudu4j.benchmarks.report.Measurements;
import dev.kudu4j.benchmarks.report.Report;
import dev.kudu4j.benchmarks.report.Side;
import dev.kudu4j.benchmarks.selection.LoadedSides;
import dev.kudu4j.benchmarks.selection.Plan;
import dev.kudu4j.benchmarks.selection.SelectionReport;
import dev.kudu4j.benchmarks.selection.SelectionRun;
import dev.kudu4j.benchmarks.selection.TwinIndexes;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** The parts that read {@code orders}: the four queries, and the choice among plans. */
final class OrdersPart {
  /** Speed in Q4 that is expected for each of the shares, with an index that has all columns. */
  private static final List<Double> Q4_ALL_COLUMNS = List.of(8.0, 4.0, 2.0, 1.0);

  /** The same without included columns. */
  private static final List<Double> Q4_PLAIN = List.of(4.0, 1.3, 1.0, 0.95);

  private static final List<Plan> ALL_COLUMNS = List.of(Plan.INCLUDING, Plan.CLUSTERING);

  private final Orders orders;
  private final int tablets;
  private final int turnMillis;
  private final int predicates;
  private final long seed;
  private final Consumer<String> progress;

  /**
   * @param turnMillis for how long a query runs in its turn, and all plans of a predicate
   * @param predicates number of random predicates
   */
  OrdersPart(
      Orders orders,
      int tablets,
      int turnMillis,
      int predicates,
      long seed,
      Consumer<String> progress) {
    this.orders = orders;
    this.tablets = tablets;
    this.turnMillis = turnMillis;
    this.predicates = predicates;
    this.seed = seed;
    this.progress = progress;
  }

  /** Loads the table, and runs the wanted ones of the two parts. */
  @SuppressWarnings("try") // close() may be interrupted, which ends the process
  void run(
      Set<Part> parts,
      RoundOptions rounds,
      Map<Side, ClusterSource> sources,
      Path directory,
      Report report,
      Goals goals)
      throws Exception {
    TwinIndexes indexes = new TwinIndexes(List.of(Orders.CUSTOMER, Orders.DATE));
    RandomGenerator random = new SplittableRandom(seed);
    try (StatusClient rpc = new StatusClient();
        LoadedSides sides =
            new LoadedSides(orders, indexes, tablets, sources, directory, rpc, progress)) {
      sides.load(List.of(orders.customers(0.001, random), Orders.dates(0.001, random)));
      sides.builds().addTo(report);
      if (parts.contains(Part.QUERIES)) {
        runQueries(sides, rounds, report, goals);
      }
      if (parts.contains(Part.CHOICE)) {
        ChoiceRun choice = new ChoiceRun(sides, orders, turnMillis, seed, progress);
        new ChoiceReport(choice.time(predicates)).addTo(report, goals);
        EstimateRun estimates = new EstimateRun(sides, orders, seed, progress);
        estimates.run(predicates);
        estimates.addTo(report, goals);
      }
    }
  }

  private void runQueries(LoadedSides sides, RoundOptions rounds, Report report, Goals goals)
      throws Exception {
    OrderQueries queries = new OrderQueries(orders);
    SelectionRun run = new SelectionRun(sides.readers(), queries.all(), turnMillis, progress);
    Measurements<Plan> measurements = run.run(queries.all(), rounds);
    SelectionReport selections =
        new SelectionReport(queries.all(), run, measurements, orders.rowCount());
    selections.addTo(report);
    addGoals(queries, selections, goals);
  }

  private static void addGoals(OrderQueries queries, SelectionReport selections, Goals goals) {
    for (int i = 0; i < OrderQueries.PERCENTS.size(); i++) {
      double percent = OrderQueries.PERCENTS.get(i);
      String title = "Q4, " + OrderQueries.percent(percent) + ", times as fast as without index: ";
      for (Plan plan : ALL_COLUMNS) {
        goals.atLeast(
            title + plan.title(),
            selections.speed(plan, queries.of(4, percent)),
            Q4_ALL_COLUMNS.get(i));
      }
      goals.atLeast(
          title + "index", selections.speed(Plan.CHOSEN, queries.of(4, percent)), Q4_PLAIN.get(i));
    }
    goals.atLeast(
        "Q2, 0.1 %, times as fast as the published client, which fetches and filters",
        selections.speed(Plan.CHOSEN, Plan.PUBLISHED, queries.of(2, 0.1)), 10);
    goals.atLeast(
        "Q2, 0.1 %, times as fast as without index",
        selections.speed(Plan.CHOSEN, queries.of(2, 0.1)), 3);
    for (int number : List.of(1, 3)) {
      for (Plan plan : ALL_COLUMNS) {
        goals.atLeast(
            "Q" + number + ", 1 %, times as fast as without index: " + plan.title(),
            selections.speed(plan, queries.of(number, 1.0)),
            2);
      }
    }
  }
}
