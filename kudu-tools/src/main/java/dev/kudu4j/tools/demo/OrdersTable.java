package dev.kudu4j.tools.demo;

import static java.math.BigDecimal.valueOf;

import io.trino.tpch.Order;
import java.util.List;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.PartialRow;

/** TPC-H's {@code orders}, keyed and hashed by order. Not thread-safe. */
final class OrdersTable implements TpchTable<Order> {
  static final String NAME = "orders";
  private static final int TABLETS = 2;

  private final TpchDates dates = new TpchDates();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Schema schema() {
    return new Schema(
        List.of(
            TpchTable.key("o_orderkey", Type.INT64),
            TpchTable.column("o_custkey", Type.INT64),
            TpchTable.column("o_orderstatus", Type.STRING),
            TpchTable.amount("o_totalprice"),
            TpchTable.column("o_orderdate", Type.DATE),
            TpchTable.column("o_orderpriority", Type.STRING),
            TpchTable.column("o_clerk", Type.STRING),
            TpchTable.column("o_shippriority", Type.INT32),
            TpchTable.column("o_comment", Type.STRING)));
  }

  @Override
  public CreateTableOptions options() {
    return TpchTable.hashed("o_orderkey", TABLETS);
  }

  @Override
  public void fill(PartialRow row, Order order) {
    row.addLong(0, order.getOrderKey());
    row.addLong(1, order.getCustomerKey());
    row.addString(2, String.valueOf(order.getOrderStatus()));
    row.addDecimal(3, valueOf(order.getTotalPriceInCents(), CENTS));
    row.addDate(4, dates.of(order.getOrderDate()));
    row.addString(5, order.getOrderPriority());
    row.addString(6, order.getClerk());
    row.addInt(7, order.getShipPriority());
    row.addString(8, order.getComment());
  }
}
