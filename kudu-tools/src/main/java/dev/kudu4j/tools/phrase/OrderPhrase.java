package dev.kudu4j.tools.phrase;

import dev.kudu4j.client.KuduAggregateBuilder;
import dev.kudu4j.common.status.KuduException;

/** Parses an order: {@code revenue DESC, name}. */
public final class OrderPhrase {
  private OrderPhrase() {}

  /**
   * Adds the order to an aggregation.
   *
   * @throws KuduException INVALID_ARGUMENT with the position of the error
   */
  public static void addTo(KuduAggregateBuilder aggregate, String text) {
    Words words = new Words("--order_by", text, ",");
    do {
      if (!words.peek().isName()) {
        throw words.unexpected("a column of the result");
      }
      String column = words.take().text();
      boolean descending = words.takeKeyword("desc");
      if (!descending) {
        words.takeKeyword("asc");
      }
      aggregate.orderBy(column, !descending);
    } while (words.takeSymbol(","));
    if (!words.atEnd()) {
      throw words.unexpected("ASC, DESC, ',' or the end");
    }
  }
}
