package dev.kudu4j.tools.demo;

import java.math.BigDecimal;

/**
 * A table in two numbers, by which two of its states are told apart.
 *
 * @param quantity sum of {@code l_quantity}, in hundredths
 */
record Totals(long rows, long quantity) {
  String quantityText() {
    return Texts.amount(BigDecimal.valueOf(quantity, TpchTable.CENTS));
  }
}
