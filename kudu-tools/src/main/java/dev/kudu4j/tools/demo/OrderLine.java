package dev.kudu4j.tools.demo;

import java.math.BigDecimal;

/**
 * A line of an order, for the lookup by key.
 *
 * @param quantity the quantity in hundredths
 * @param price the price in hundredths
 */
record OrderLine(int lineNumber, long quantity, long price, String shipMode) {
  String quantityText() {
    return Texts.amount(BigDecimal.valueOf(quantity, TpchTable.CENTS));
  }

  String priceText() {
    return Texts.amount(BigDecimal.valueOf(price, TpchTable.CENTS));
  }
}
