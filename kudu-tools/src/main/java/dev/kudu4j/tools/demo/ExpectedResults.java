package dev.kudu4j.tools.demo;

import io.trino.tpch.LineItem;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** Computes the expected results of the queries from the generated rows. Not thread-safe. */
final class ExpectedResults {
  /** TPC-H's first query excludes the last 90 days. */
  static final LocalDate LAST_SHIP_DATE = LocalDate.of(1998, 9, 2);

  /** The quantity in the predicate of the Kudu paper's query. */
  static final int ASKED_QUANTITY = 48;

  private static final long LAST_SHIP_DAY = LAST_SHIP_DATE.toEpochDay();

  private final long lookedUpOrder;
  private final PricingSummary pricing = new PricingSummary();
  private final List<OrderLine> lookedUpLines = new ArrayList<>();
  private long rows;
  private long quantity;
  private long rowsOfAskedQuantity;

  /**
   * @param lookedUpOrder the order whose lines are looked up by key
   */
  ExpectedResults(long lookedUpOrder) {
    this.lookedUpOrder = lookedUpOrder;
  }

  void add(LineItem line) {
    rows++;
    quantity += LineItemTable.quantity(line);
    if (line.getShipDate() <= LAST_SHIP_DAY) {
      pricing.add(
          line.getReturnFlag(),
          line.getStatus(),
          LineItemTable.quantity(line),
          line.getExtendedPriceInCents(),
          line.getDiscountPercent(),
          line.getTaxPercent());
    }
    if (line.getQuantity() == ASKED_QUANTITY) {
      rowsOfAskedQuantity++;
    }
    if (line.getOrderKey() == lookedUpOrder) {
      lookedUpLines.add(
          new OrderLine(
              line.getLineNumber(),
              LineItemTable.quantity(line),
              line.getExtendedPriceInCents(),
              line.getShipMode()));
    }
  }

  long lookedUpOrder() {
    return lookedUpOrder;
  }

  PricingSummary pricing() {
    return pricing;
  }

  List<OrderLine> lookedUpLines() {
    return lookedUpLines;
  }

  long rowsOfAskedQuantity() {
    return rowsOfAskedQuantity;
  }

  /** Number of rows, and the sum of their quantities. */
  Totals totals() {
    return new Totals(rows, quantity);
  }
}
