package dev.kudu4j.client.aggregate;

import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.DataType;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The order of the rows of a result.
 *
 * @param columns the most significant first; empty for no order
 */
public record GroupOrder(List<Column> columns) {
  /**
   * A result column to order by. NULLs sort before all other values.
   *
   * @param index index of the column in the result
   */
  public record Column(int index, boolean ascending) {}

  public GroupOrder {
    columns = List.copyOf(columns);
  }

  /** The first groups in this order. */
  public List<Group> first(List<Group> groups, AggregatePlan plan, long max) {
    if (columns.isEmpty()) {
      return groups.size() > max ? groups.subList(0, (int) max) : groups;
    }
    Comparator<Sorted> order = comparator(plan);
    if (max >= groups.size()) {
      return groups.stream()
          .map(group -> withCells(group, plan))
          .sorted(order)
          .map(Sorted::group)
          .toList();
    }
    PriorityQueue<Sorted> first = new PriorityQueue<>(order.reversed()); // its head is the last
    for (Group group : groups) {
      first.add(withCells(group, plan));
      if (first.size() > max) {
        first.poll();
      }
    }
    return first.stream().sorted(order).map(Sorted::group).toList();
  }

  /** A group with the cells to order by. */
  @SuppressWarnings("ArrayRecordComponent") // compared by a comparator only
  private record Sorted(Group group, byte[][] cells) {}

  private Sorted withCells(Group group, AggregatePlan plan) {
    byte[][] cells = new byte[columns.size()][];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = plan.cell(group, columns.get(i).index());
    }
    return new Sorted(group, cells);
  }

  private Comparator<Sorted> comparator(AggregatePlan plan) {
    Comparator<Sorted> all = null;
    for (int i = 0; i < columns.size(); i++) {
      DataType type = plan.schema().column(columns.get(i).index()).type();
      int number = i;
      Comparator<Sorted> one = (a, b) -> compare(type, a.cells()[number], b.cells()[number]);
      Comparator<Sorted> directed = columns.get(i).ascending() ? one : one.reversed();
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
