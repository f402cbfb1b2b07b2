package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.selection.Range;
import java.util.random.RandomGenerator;

/**
 * Ranges of customers and dates. The logarithm of their share of the table is equally distributed.
 */
final class RandomRanges {
  private static final double LEAST_SHARE = 1e-5;
  private static final double GREATEST_SHARE = 0.3;

  private final Orders orders;
  private final RandomGenerator random;

  RandomRanges(Orders orders, RandomGenerator random) {
    this.orders = orders;
    this.random = random;
  }

  /** One customer, of whom there may be no order. */
  Range customer() {
    return Range.of(Orders.CUSTOMER, orders.customer(random));
  }

  Range customers() {
    return orders.customers(share(), random);
  }

  Range dates() {
    return Orders.dates(share(), random);
  }

  private double share() {
    return LEAST_SHARE * Math.pow(GREATEST_SHARE / LEAST_SHARE, random.nextDouble());
  }
}
