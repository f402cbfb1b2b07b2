package dev.kudu4j.tools.demo;

import java.math.BigDecimal;

/**
 * Two totals of a table, by which the demo recognizes the state of the table.
 *
 * @param quantity sum of {@code l_quantity}, in hundredths
 */
record Totals(long rows, long quantity) {
  String quantityText() {
    return Texts.amount(BigDecimal.valueOf(quantity, TpchTable.CENTS));
  }
}
