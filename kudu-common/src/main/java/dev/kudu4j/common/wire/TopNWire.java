package dev.kudu4j.common.wire;

import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.proto.expression.TopNPB;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;

/** Converts the order and number of the first rows of a scan to and from wire messages. */
public final class TopNWire {
  private static final int MAX_COLUMNS = 1000;

  private TopNWire() {}

  /**
   * @param tablet has the columns of the order
   * @throws KuduException INVALID_ARGUMENT for an invalid message
   */
  public static TopN fromWire(TopNPB pb, Schema tablet) {
    int columns = pb.getOrderByCount();
    if (columns == 0 || columns > MAX_COLUMNS) {
      throw KuduException.invalidArgument(
          "The first rows of a scan need 1 to %d columns to order by, not %d",
          MAX_COLUMNS, columns);
    }
    if (pb.getCount() < 1 || pb.getCount() > TopN.MAX_COUNT) {
      throw KuduException.invalidArgument(
          "A scan can return its first 1 to %d rows, not %d; scan all rows instead",
          TopN.MAX_COUNT, Integer.toUnsignedLong(pb.getCount()));
    }
    List<TopN.Order> order = new ArrayList<>(columns);
    for (TopNPB.Order column : pb.getOrderByList()) {
      order.add(
          new TopN.Order(
              PredicateWire.comparable(column.getColumn(), tablet),
              !column.getDescending(),
              column.getNullsFirst()));
    }
    return new TopN(order, pb.getCount());
  }

  public static TopNPB toWire(TopN top) {
    TopNPB.Builder pb = TopNPB.newBuilder().setCount(top.count());
    for (TopN.Order column : top.order()) {
      pb.addOrderBy(
          TopNPB.Order.newBuilder()
              .setColumn(column.column().name())
              .setDescending(!column.ascending())
              .setNullsFirst(column.nullsFirst()));
    }
    return pb.build();
  }
}
