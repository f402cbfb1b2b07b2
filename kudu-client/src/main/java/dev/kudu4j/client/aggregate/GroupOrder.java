package dev.kudu4j.client.aggregate;

import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.DataType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The order of the rows of a result.
 *
 * @param columns the most significant first; empty for no order
 */
public record GroupOrder(List<Column> columns) {
  /**
   * A column of the result to order by. NULL is below all other values.
   *
   * @param index in the result
   */
  public record Column(int index, boolean ascending) {}

  public GroupOrder {
    columns = List.copyOf(columns);
  }

  /** The first groups in this order. */
  public List<Group> first(Collection<Group> groups, AggregatePlan plan, long most) {
    List<Group> ordered = new ArrayList<>(groups);
    if (!columns.isEmpty()) {
      ordered.sort(comparator(plan));
    }
    return ordered.size() > most ? ordered.subList(0, (int) most) : ordered;
  }

  private Comparator<Group> comparator(AggregatePlan plan) {
    Comparator<Group> all = null;
    for (Column column : columns) {
      DataType type = plan.schema().column(column.index()).type();
      Comparator<Group> one =
          (a, b) -> compare(type, plan.cell(a, column.index()), plan.cell(b, column.index()));
      Comparator<Group> directed = column.ascending() ? one : one.reversed();
      all = all == null ? directed : all.thenComparing(directed);
    }
    return all;
  }

  private static int compare(DataType type, byte[] a, byte[] b) {
    return a == null || b == null
        ? Boolean.compare(a != null, b != null)
        : CellOrder.compare(type, a, b);
  }
}
