package dev.kudu4j.itest.index;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * A row of the table of orders.
 *
 * @param price null or from 0 to {@link #PRICES}, exclusive
 * @param status null or one of {@link #STATUSES}
 */
record Order(long id, String customer, Integer price, String status, Double weight, int day) {
  static final int CUSTOMERS = 400;
  static final int PRICES = 5_000;
  static final int WEIGHTS = 800;
  static final int DAYS = 365;
  static final List<String> STATUSES =
      List.of("open", "paid", "packed", "sent", "received", "returned", "", "lost");

  /** One with random cells; a tenth of those that can be NULL are. */
  static Order random(long id, Random random) {
    return new Order(
        id,
        customer(random.nextInt(CUSTOMERS)),
        random.nextInt(10) == 0 ? null : random.nextInt(PRICES),
        random.nextInt(10) == 0 ? null : STATUSES.get(skewed(random, STATUSES.size())),
        random.nextInt(10) == 0 ? null : random.nextInt(WEIGHTS) / 8.0,
        random.nextInt(DAYS));
  }

  /** The first number is the most frequent one. */
  private static int skewed(Random random, int count) {
    return random.nextInt(1 + random.nextInt(count));
  }

  static String customer(int number) {
    return String.format("customer %04d", number);
  }

  Order withCustomer(String changed) {
    return new Order(id, changed, price, status, weight, day);
  }

  Order withPrice(Integer changed) {
    return new Order(id, customer, changed, status, weight, day);
  }

  Order withStatus(String changed) {
    return new Order(id, customer, price, changed, weight, day);
  }

  private Object cell(String column) {
    return switch (column) {
      case "id" -> id;
      case "customer" -> customer;
      case "price" -> price;
      case "status" -> status;
      case "weight" -> weight;
      case "day" -> day;
      default -> throw new IllegalArgumentException(column);
    };
  }

  /** The cells of these columns, for a comparison. */
  String text(List<String> columns) {
    return columns.stream()
        .map(column -> String.valueOf(cell(column)))
        .collect(Collectors.joining("|"));
  }
}
