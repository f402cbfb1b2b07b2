package dev.kudu4j.tools.phrase;

import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;

/**
 * A column of an order such as {@code revenue DESC, name}.
 *
 * @param column its name
 */
public record OrderPhrase(String column, boolean ascending) {
  /**
   * Parses an order.
   *
   * @throws KuduException INVALID_ARGUMENT with the position of the error
   */
  public static List<OrderPhrase> parse(String text) {
    List<OrderPhrase> order = new ArrayList<>();
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
      order.add(new OrderPhrase(column, !descending));
    } while (words.takeSymbol(","));
    if (!words.atEnd()) {
      throw words.unexpected("ASC, DESC, ',' or the end");
    }
    return order;
  }
}
