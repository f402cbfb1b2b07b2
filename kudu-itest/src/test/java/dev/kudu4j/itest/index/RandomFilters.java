package dev.kudu4j.itest.index;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduCondition;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Random filters on orders, most of which select few rows: comparisons, ranges, lists, beginnings
 * of text, NULL, and what AND, OR and NOT make of them.
 */
final class RandomFilters {
  private static final int NOT_ONE_IN = 12;

  private final Schema schema;
  private final Random random;

  RandomFilters(Schema schema, Random random) {
    this.schema = schema;
    this.random = random;
  }

  /**
   * @param depth the maximum depth of AND and OR
   */
  Filter next(int depth) {
    if (depth == 0 || random.nextInt(3) == 0) {
      return leaf();
    }
    Filter a = next(depth - 1);
    Filter b = next(depth - 1);
    Filter both = random.nextBoolean() ? Filter.and(a, b) : Filter.or(a, b);
    return random.nextInt(NOT_ONE_IN) == 0 ? both.not() : both;
  }

  private Filter leaf() {
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> onCustomer();
      case 3, 4 -> onNumber("price", Order.PRICES, Order::price);
      case 5 -> onStatus();
      case 6 -> onWeight();
      default -> onNumber("day", Order.DAYS, Order::day);
    };
  }

  private ColumnSchema column(String name) {
    return schema.getColumn(name);
  }

  private Filter onCustomer() {
    ColumnSchema column = column("customer");
    String value = Order.customer(random.nextInt(Order.CUSTOMERS));
    switch (random.nextInt(4)) {
      case 0 -> {
        List<String> values =
            List.of(value, Order.customer(random.nextInt(2 * Order.CUSTOMERS)), "nobody");
        return Filter.of(
            KuduPredicate.newInListPredicate(column, values),
            order -> values.contains(order.customer()));
      }
      case 1 -> {
        String end = value + "\0";
        String start = Order.customer(random.nextInt(Order.CUSTOMERS));
        return Filter.and(
            compared(column, ComparisonOp.GREATER_EQUAL, start, Order::customer),
            compared(column, ComparisonOp.LESS, end, Order::customer));
      }
      case 2 -> {
        String prefix = value.substring(0, value.length() - 1 - random.nextInt(2));
        return Filter.of(
            KuduCondition.like(column, prefix + "%"), order -> order.customer().startsWith(prefix));
      }
      default -> {
        return compared(column, ComparisonOp.EQUAL, value, Order::customer);
      }
    }
  }

  private Filter onStatus() {
    ColumnSchema column = column("status");
    String value = Order.STATUSES.get(random.nextInt(Order.STATUSES.size()));
    return random.nextInt(3) == 0
        ? isNull(column, Order::status)
        : compared(column, ComparisonOp.EQUAL, value, Order::status);
  }

  private Filter onNumber(String name, int end, Function<Order, Integer> cell) {
    ColumnSchema column = column(name);
    int value = random.nextInt(end);
    switch (random.nextInt(column.isNullable() ? 4 : 3)) {
      case 0 -> {
        List<Integer> values = IntStream.range(0, 5).mapToObj(i -> random.nextInt(end)).toList();
        return Filter.of(
            KuduPredicate.newInListPredicate(column, values),
            order ->
                cell.apply(order) == null ? null : (Boolean) values.contains(cell.apply(order)));
      }
      case 1 -> {
        int width = 1 + random.nextInt(Math.max(1, end / 50));
        return Filter.and(
            compared(column, ComparisonOp.GREATER_EQUAL, value, cell),
            compared(column, ComparisonOp.LESS_EQUAL, value + width, cell));
      }
      case 2 -> {
        return compared(column, ComparisonOp.EQUAL, value, cell);
      }
      default -> {
        return isNull(column, cell);
      }
    }
  }

  private Filter onWeight() {
    ColumnSchema column = column("weight");
    double value = random.nextInt(Order.WEIGHTS) / 8.0;
    return switch (random.nextInt(4)) {
      case 0 -> isNull(column, Order::weight);
      case 1 -> compared(column, ComparisonOp.LESS, value / 20, Order::weight);
      case 2 -> compared(column, ComparisonOp.GREATER, Order.WEIGHTS / 8.0 - 1, Order::weight);
      default -> compared(column, ComparisonOp.EQUAL, value, Order::weight);
    };
  }

  private static Filter isNull(ColumnSchema column, Function<Order, ?> cell) {
    return Filter.of(KuduPredicate.newIsNullPredicate(column), order -> cell.apply(order) == null);
  }

  private static <T extends Comparable<T>> Filter compared(
      ColumnSchema column, ComparisonOp op, T value, Function<Order, T> cell) {
    return Filter.of(
        KuduPredicate.newComparisonPredicate(column, op, (Object) value),
        order -> {
          T found = cell.apply(order);
          return found == null ? null : (Boolean) holds(op, found.compareTo(value));
        });
  }

  private static boolean holds(ComparisonOp op, int order) {
    return switch (op) {
      case EQUAL -> order == 0;
      case LESS -> order < 0;
      case LESS_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_EQUAL -> order >= 0;
    };
  }
}
