package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.selection.Selection;
import dev.kudu4j.benchmarks.selection.SelectionQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The four queries of the paper, each for four shares of the table.
 *
 * <pre>
 *   Q1  SELECT o_custkey               WHERE o_custkey BETWEEN a AND b
 *   Q2  SELECT o_custkey, o_orderdate  WHERE o_custkey BETWEEN a AND b OR o_orderdate BETWEEN c AND d
 *   Q3  SELECT *                       WHERE o_custkey BETWEEN a AND b
 *   Q4  SELECT *                       WHERE o_custkey BETWEEN a AND b AND o_orderdate BETWEEN c AND d
 * </pre>
 *
 * <p>The shares are those of the result: each range of Q2 selects half of it, and each of Q4 its
 * root. One day is 0.04 % of the table; so Q2 cannot select less.
 */
final class OrderQueries {
  static final List<Double> PERCENTS = List.of(0.01, 0.1, 1.0, 10.0);
  private static final int VARIANTS = 4;
  private static final long SEED = 21;

  private final Orders orders;
  private final List<String> all;
  private final List<SelectionQuery> queries = new ArrayList<>();

  OrderQueries(Orders orders) {
    this.orders = orders;
    this.all = orders.columnNames();
    RandomGenerator random = new SplittableRandom(SEED);
    for (int number = 1; number <= 4; number++) {
      for (double percent : PERCENTS) {
        queries.add(query(number, percent, random));
      }
    }
  }

  private SelectionQuery query(int number, double percent, RandomGenerator random) {
    List<Selection> variants = new ArrayList<>();
    for (int i = 0; i < VARIANTS; i++) {
      variants.add(selection(number, percent / 100, random));
    }
    return new SelectionQuery(group(number), percent(percent), variants);
  }

  private Selection selection(int number, double share, RandomGenerator random) {
    List<String> customer = List.of(Orders.CUSTOMER);
    double root = Math.sqrt(share);
    return switch (number) {
      case 1 -> Selection.and(customer, orders.customers(share, random));
      case 2 ->
          Selection.or(
              List.of(Orders.CUSTOMER, Orders.DATE),
              orders.customers(share / 2, random),
              Orders.dates(share / 2, random));
      case 3 -> Selection.and(all, orders.customers(share, random));
      default -> Selection.and(all, orders.customers(root, random), Orders.dates(root, random));
    };
  }

  private static String group(int number) {
    return switch (number) {
      case 1 -> "Q1, range, its column";
      case 2 -> "Q2, OR of ranges, their columns";
      case 3 -> "Q3, range, all columns";
      default -> "Q4, AND of ranges, all columns";
    };
  }

  static String percent(double percent) {
    String digits = percent < 1 ? String.valueOf(percent) : String.valueOf((int) percent);
    return digits + " %";
  }

  /** All queries. */
  List<SelectionQuery> all() {
    return queries;
  }

  /**
   * A query.
   *
   * @param number from 1 to 4
   * @param percent one of {@link #PERCENTS}
   */
  SelectionQuery of(int number, double percent) {
    return queries.get((number - 1) * PERCENTS.size() + PERCENTS.indexOf(percent));
  }
}
