package dev.kudu4j.benchmarks.index;

import dev.kudu4j.benchmarks.selection.CellType;
import dev.kudu4j.benchmarks.selection.Days;
import dev.kudu4j.benchmarks.selection.GeneratedTable;
import dev.kudu4j.benchmarks.selection.Range;
import dev.kudu4j.benchmarks.selection.TableColumn;
import io.trino.tpch.Distributions;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.TextPool;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * TPC-H's {@code orders}, and ranges of two of its columns.
 *
 * @param scale TPC-H's scale factor; 1 is 1,500,000 rows
 */
record Orders(double scale) implements GeneratedTable {
  static final String CUSTOMER = "o_custkey";
  static final String DATE = "o_orderdate";

  private static final int ORDERS_OF_SCALE_1 = 1_500_000;
  private static final int CUSTOMERS_OF_SCALE_1 = 150_000;
  private static final int FIRST_DAY = (int) LocalDate.of(1992, 1, 1).toEpochDay();
  private static final int LAST_DAY = (int) LocalDate.of(1998, 8, 2).toEpochDay();
  private static final int CENTS = 2;

  /** Size of the text from which comments are cut. TPC-H's own text is 300 MB long. */
  private static final int TEXT_BYTES = 16 << 20;

  Orders {
    if (!(scale > 0)) {
      throw new IllegalArgumentException("The scale must be positive");
    }
  }

  @Override
  public String name() {
    return "orders";
  }

  @Override
  public List<TableColumn> columns() {
    return List.of(
        new TableColumn("o_orderkey", CellType.INT64),
        new TableColumn(CUSTOMER, CellType.INT32),
        new TableColumn("o_orderstatus", CellType.STRING),
        new TableColumn("o_totalprice", CellType.DECIMAL),
        new TableColumn(DATE, CellType.DATE),
        new TableColumn("o_orderpriority", CellType.STRING),
        new TableColumn("o_clerk", CellType.STRING),
        new TableColumn("o_shippriority", CellType.INT32),
        new TableColumn("o_comment", CellType.STRING));
  }

  @Override
  public long rowCount() {
    return Math.max(1, (long) (scale * ORDERS_OF_SCALE_1));
  }

  @Override
  public Iterator<Object[]> rows(int part, int parts) {
    Distributions words = Distributions.getDefaultDistributions();
    Iterator<Order> orders =
        new OrderGenerator(scale, part, parts, words, new TextPool(TEXT_BYTES, words)).iterator();
    Object[] cells = new Object[columns().size()];
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return orders.hasNext();
      }

      @Override
      public Object[] next() {
        fill(cells, orders.next());
        return cells;
      }
    };
  }

  private static void fill(Object[] cells, Order order) {
    cells[0] = order.getOrderKey();
    cells[1] = (int) order.getCustomerKey();
    cells[2] = String.valueOf(order.getOrderStatus());
    cells[3] = BigDecimal.valueOf(order.getTotalPriceInCents(), CENTS);
    cells[4] = Days.date(order.getOrderDate());
    cells[5] = order.getOrderPriority();
    cells[6] = order.getClerk();
    cells[7] = order.getShipPriority();
    cells[8] = order.getComment();
  }

  private int customers() {
    return (int) Math.max(3, scale * CUSTOMERS_OF_SCALE_1);
  }

  /** A customer, of whom there may be no order. */
  int customer(RandomGenerator random) {
    return 1 + random.nextInt(customers());
  }

  /** A range of about this share of the customers, at least one. */
  Range customers(double share, RandomGenerator random) {
    int width = width(share, customers());
    int lower = 1 + random.nextInt(customers() - width + 1);
    return new Range(CUSTOMER, lower, lower + width - 1);
  }

  /** A range of about this share of the days, at least one. */
  static Range dates(double share, RandomGenerator random) {
    int all = LAST_DAY - FIRST_DAY + 1;
    int width = width(share, all);
    int lower = FIRST_DAY + random.nextInt(all - width + 1);
    return new Range(DATE, Days.date(lower), Days.date(lower + width - 1));
  }

  private static int width(double share, int all) {
    return (int) Math.min(all, Math.max(1, Math.round(share * all)));
  }
}
