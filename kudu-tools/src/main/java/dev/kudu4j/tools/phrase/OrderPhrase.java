package dev.kudu4j.tools.phrase;

import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;

/**
 * A column of an order such as {@code revenue DESC, count(distinct a), name}.
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
      String column = column(words, text);
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

  /** A name, or an aggregate, which may have spaces in its parentheses. */
  private static String column(Words words, String text) {
    Word first = words.take();
    String column = first.text();
    while (first.kind() == Word.Kind.BARE
        && hasOpenParenthesis(column)
        && words.peek().kind() == Word.Kind.BARE) {
      Word next = words.take();
      column = text.substring(first.position() - 1, next.position() - 1 + next.text().length());
    }
    return column;
  }

  private static boolean hasOpenParenthesis(String text) {
    return text.chars().filter(c -> c == '(').count() > text.chars().filter(c -> c == ')').count();
  }
}
