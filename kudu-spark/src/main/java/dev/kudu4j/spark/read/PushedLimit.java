package dev.kudu4j.spark.read;

import dev.kudu4j.client.KuduScanToken.KuduScanTokenBuilder;
import dev.kudu4j.common.expression.TopN;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.NullOrdering;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;

/**
 * How many rows of each task Spark needs: any rows, or the first in an order.
 *
 * @param rows empty for all rows
 * @param order empty for any rows
 */
record PushedLimit(OptionalInt rows, List<Order> order) {
  static final PushedLimit NONE = new PushedLimit(OptionalInt.empty(), List.of());

  /** A column to order by. */
  record Order(String column, boolean ascending, boolean nullsFirst) {
    @Override
    public String toString() {
      return column
          + (ascending ? " asc" : " desc")
          + (nullsFirst ? " nulls first" : " nulls last");
    }
  }

  static PushedLimit of(int rows) {
    return new PushedLimit(OptionalInt.of(rows), List.of());
  }

  /**
   * The first rows in an order of Spark, which compares cells as servers do.
   *
   * @param columns that servers can order by
   * @return empty if the servers cannot select them
   */
  static Optional<PushedLimit> of(SortOrder[] orders, int rows, List<String> columns) {
    List<Order> order = new ArrayList<>();
    for (SortOrder by : orders) {
      if (!(by.expression() instanceof NamedReference column)
          || column.fieldNames().length != 1
          || !columns.contains(column.fieldNames()[0])) {
        return Optional.empty();
      }
      order.add(
          new Order(
              column.fieldNames()[0],
              by.direction() == SortDirection.ASCENDING,
              by.nullOrdering() == NullOrdering.NULLS_FIRST));
    }
    boolean possible = rows > 0 && rows <= TopN.MAX_COUNT && !order.isEmpty();
    return possible
        ? Optional.of(new PushedLimit(OptionalInt.of(rows), List.copyOf(order)))
        : Optional.empty();
  }

  void addTo(KuduScanTokenBuilder tokens) {
    rows.ifPresent(tokens::limit);
    order.forEach(by -> tokens.orderBy(by.column(), by.ascending(), by.nullsFirst()));
  }

  /** The text in the description of a scan; empty for all rows. */
  String text() {
    String by =
        order.isEmpty()
            ? ""
            : " order by " + order.stream().map(Order::toString).collect(Collectors.joining(", "));
    return rows.isEmpty() ? "" : by + " limit " + rows.getAsInt();
  }
}
