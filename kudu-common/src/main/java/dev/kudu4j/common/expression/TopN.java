package dev.kudu4j.common.expression;

import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The first rows of a scan in an order. A server returns at least these rows of its tablet, and
 * possibly others; the caller selects the first rows of all tablets.
 *
 * @param order the most significant column first; not empty
 * @param count the number of rows, 1 to {@link #MAX_COUNT}
 */
public record TopN(List<Order> order, int count) {
  /**
   * The maximum number of rows. With more rows, reading all rows and sorting them at the client is
   * as good.
   */
  public static final int MAX_COUNT = 1 << 20;

  /**
   * A column to order by, as {@link CellOrder} defines: NaN is above all other numbers.
   *
   * @param nullsFirst whether NULL comes before all values, in either direction
   */
  public record Order(ColumnSchema column, boolean ascending, boolean nullsFirst) {
    /**
     * Compares two cells of the column.
     *
     * @param left null for NULL; so is {@code right}
     */
    public int compare(byte @Nullable [] left, byte @Nullable [] right) {
      if (left == null || right == null) {
        int nullLast = Boolean.compare(left == null, right == null);
        return nullsFirst ? -nullLast : nullLast;
      }
      int rising = CellOrder.compare(column.type(), left, right);
      return ascending ? rising : -rising;
    }

    @Override
    public String toString() {
      return column.name()
          + (ascending ? "" : " DESC")
          + (nullsFirst == ascending ? "" : nullsFirst ? " NULLS FIRST" : " NULLS LAST");
    }
  }

  public TopN {
    order = List.copyOf(order);
    if (order.isEmpty() || count < 1 || count > MAX_COUNT) {
      throw new IllegalArgumentException(
          "The first rows need an order, and 1 to " + MAX_COUNT + " rows, not " + count);
    }
  }

  /** The order as in SQL, where NULLs are first if ascending and last if not, unless stated. */
  public String orderText() {
    return order.stream().map(Order::toString).collect(Collectors.joining(", "));
  }
}
