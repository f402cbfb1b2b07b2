package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.compare.Turns;
import dev.kudu4j.benchmarks.selection.Answer;
import dev.kudu4j.benchmarks.selection.LoadedSides;
import dev.kudu4j.benchmarks.selection.OurSelections;
import dev.kudu4j.benchmarks.selection.OurSelections.Explained;
import dev.kudu4j.benchmarks.selection.Plan;
import dev.kudu4j.benchmarks.selection.Range;
import dev.kudu4j.benchmarks.selection.Selection;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.ScanCounter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Random predicates on orders: whether the plan that the servers choose is about as fast as the
 * best one.
 *
 * <p>The plans of a predicate alternate; the shortest run of each counts, since other processes can
 * only add time.
 */
final class ChoiceRun {
  static final List<Plan> PLANS =
      List.of(Plan.NONE, Plan.CHOSEN, Plan.FORCED, Plan.INCLUDING, Plan.INCLUDING_FORCED);

  private static final double NANOS_PER_MILLI = 1e6;
  private static final int MIN_RUNS = 4;
  private static final int MAX_RUNS = 40;
  private static final int WARM_UP_OF = 10; // one predicate of warm-up for so many measured ones

  /**
   * The result of a predicate.
   *
   * @param rows number of rows that match
   * @param chosenUsesIndex whether the chosen plan used an index in a rowset
   * @param millis the shortest run of each plan
   */
  record Outcome(
      Selection selection, long rows, boolean chosenUsesIndex, Map<Plan, Double> millis) {
    /** The time of a plan as a multiple of that of the faster one of two others. */
    double ratio(Plan plan, Plan first, Plan second) {
      return millis.get(plan) / Math.min(millis.get(first), millis.get(second));
    }
  }

  private final LoadedSides sides;
  private final OurSelections table;
  private final Orders orders;
  private final int turnMillis;
  private final RandomGenerator random;
  private final RandomRanges ranges;
  private final Consumer<String> progress;

  /**
   * @param turnMillis for how long all plans of a predicate run, at least four times each
   */
  ChoiceRun(
      LoadedSides sides, Orders orders, int turnMillis, long seed, Consumer<String> progress) {
    this.sides = sides;
    this.table = sides.ours();
    this.orders = orders;
    this.turnMillis = turnMillis;
    this.random = new SplittableRandom(seed);
    this.ranges = new RandomRanges(orders, random);
    this.progress = progress;
  }

  /**
   * Times all plans.
   *
   * @throws IllegalStateException if their answers differ
   */
  List<Outcome> time(int predicates) throws KuduException {
    for (int i = 0; i < predicates / WARM_UP_OF; i++) {
      outcome(selection());
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < predicates; i++) {
      Outcome outcome = outcome(selection());
      outcomes.add(outcome);
      if ((i + 1) % 50 == 0) {
        progress.accept("    %d predicates, last %s".formatted(i + 1, outcome.selection()));
      }
    }
    return outcomes;
  }

  private Outcome outcome(Selection selection) throws KuduException {
    Explained none = explain(selection, Plan.NONE);
    boolean chosenUsesIndex = false;
    for (Plan plan : PLANS) {
      Explained explained = explain(selection, plan);
      check(selection, plan, explained.answer(), none.answer());
      if (plan == Plan.CHOSEN) {
        chosenUsesIndex = explained.report().get(ScanCounter.ROWSETS_INDEXED) > 0;
      }
    }
    return new Outcome(selection, none.answer().rows(), chosenUsesIndex, millis(selection));
  }

  private Explained explain(Selection selection, Plan plan) throws KuduException {
    return table.explain(selection, sides.hint(plan));
  }

  private static void check(Selection selection, Plan plan, Answer answer, Answer expected) {
    if (!answer.equals(expected)) {
      throw new IllegalStateException(
          "%s: the plan '%s' found %s, a scan without index %s"
              .formatted(selection, plan.title(), answer, expected));
    }
  }

  private Map<Plan, Double> millis(Selection selection) throws KuduException {
    Map<Plan, Double> shortest = new EnumMap<>(Plan.class);
    double total = 0;
    for (int run = 0; run < MIN_RUNS || (total < turnMillis && run < MAX_RUNS); run++) {
      for (Plan plan : Turns.order(PLANS, run)) {
        long startNanos = System.nanoTime();
        table.answer(selection, sides.hint(plan));
        double millis = (System.nanoTime() - startNanos) / NANOS_PER_MILLI;
        shortest.merge(plan, millis, Math::min);
        total += millis;
      }
    }
    return shortest;
  }

  /** One or two random ranges, joined by AND or OR, with a random projection. */
  private Selection selection() {
    List<String> columns =
        switch (random.nextInt(3)) {
          case 0 -> List.of();
          case 1 -> List.of("o_orderkey", Orders.CUSTOMER);
          default -> orders.columnNames();
        };
    Range customers = ranges.customers();
    Range dates = ranges.dates();
    return switch (random.nextInt(5)) {
      case 0 -> Selection.and(columns, ranges.customer());
      case 1 -> Selection.and(columns, customers);
      case 2 -> Selection.and(columns, dates);
      case 3 -> Selection.and(columns, customers, dates);
      default -> Selection.or(columns, customers, dates);
    };
  }
}
