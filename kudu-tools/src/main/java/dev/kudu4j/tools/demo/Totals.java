package dev.kudu4j.tools.demo;

import java.math.BigDecimal;

/**
 * A fingerprint of a table in two numbers.
 *
 * @param quantity sum of {@code l_quantity}, in hundredths
 */
record Totals(long rows, long quantity) {
  String quantityText() {
    return Texts.amount(BigDecimal.valueOf(quantity, TpchTable.CENTS));
  }
}
