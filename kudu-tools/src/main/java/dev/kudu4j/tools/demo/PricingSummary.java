package dev.kudu4j.tools.demo;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of TPC-H's first query: sums and averages for each return flag and line status. Sums
 * are exact, in hundredths and their powers, so two summaries of the same rows are equal regardless
 * of the order of the rows.
 */
final class PricingSummary {
  private static final int CENTS = 2;

  /** A row of the result. */
  private static final class Group {
    private long quantity;
    private long price;
    private long discountedPrice;
    private long charge;
    private long discount;
    private long count;
  }

  private final Map<String, Group> groups = new TreeMap<>();

  /** Adds a row; amounts are in hundredths. */
  void add(
      String returnFlag, String lineStatus, long quantity, long price, long discount, long tax) {
    Group group = groups.computeIfAbsent(returnFlag + " " + lineStatus, name -> new Group());
    long discounted = price * (100 - discount);
    group.quantity += quantity;
    group.price += price;
    group.discountedPrice += discounted;
    group.charge = Math.addExact(group.charge, discounted * (100 + tax));
    group.discount += discount;
    group.count++;
  }

  /** The rows of the result, ordered by flag and status, as text. */
  Map<String, String[]> lines() {
    Map<String, String[]> lines = new TreeMap<>();
    groups.forEach((name, group) -> lines.put(name, texts(group)));
    return lines;
  }

  private static String[] texts(Group group) {
    return new String[] {
      sum(group.quantity, CENTS),
      sum(group.price, CENTS),
      sum(group.discountedPrice, 2 * CENTS),
      sum(group.charge, 3 * CENTS),
      mean(group.quantity, group.count),
      mean(group.price, group.count),
      mean(group.discount, group.count),
      Texts.count(group.count)
    };
  }

  private static String sum(long unscaled, int scale) {
    return Texts.amount(BigDecimal.valueOf(unscaled, scale));
  }

  private static String mean(long hundredths, long count) {
    return Texts.amount(
        BigDecimal.valueOf(hundredths, CENTS)
            .divide(BigDecimal.valueOf(count), CENTS, RoundingMode.HALF_UP));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PricingSummary that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** All sums, exact. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    groups.forEach(
        (name, g) ->
            text.append(name)
                .append(' ')
                .append(g.quantity)
                .append(' ')
                .append(g.price)
                .append(' ')
                .append(g.discountedPrice)
                .append(' ')
                .append(g.charge)
                .append(' ')
                .append(g.discount)
                .append(' ')
                .append(g.count)
                .append('\n'));
    return text.toString();
  }
}
