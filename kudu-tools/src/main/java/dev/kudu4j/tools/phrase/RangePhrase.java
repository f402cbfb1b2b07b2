package dev.kudu4j.tools.phrase;

import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;

/**
 * A range partition, with values as text.
 *
 * @param lower values of the range columns, in order; empty for unbounded
 * @param upper values of the upper bound, in the same form
 */
public record RangePhrase(
    List<String> lower, boolean lowerInclusive, List<String> upper, boolean upperInclusive) {
  /** The format, for the help of verbs. */
  public static final String FORM = "'0 <= VALUES < 10', 'VALUES >= 10', 'VALUE = 3', 'UNBOUNDED'";

  /**
   * Parses a range in the format of {@code table describe}: {@code 0 <= VALUES < 10}, {@code VALUES
   * >= 10}, {@code VALUE = ("a", 3)}, {@code UNBOUNDED}.
   */
  public static RangePhrase parse(String what, String text) {
    Words words = new Words(what, text);
    words.takeKeyword("partition");
    RangePhrase range = range(words);
    if (!words.atEnd()) {
      throw words.unexpected("the end");
    }
    return range;
  }

  /** Parses the values of a split: {@code 10} or {@code (10, 'a')}. */
  public static List<String> values(String what, String text) {
    Words words = new Words(what, text);
    List<String> values = tuple(words);
    if (!words.atEnd()) {
      throw words.unexpected("the end");
    }
    return values;
  }

  private static RangePhrase range(Words words) {
    if (words.takeKeyword("unbounded")) {
      return new RangePhrase(List.of(), true, List.of(), false);
    }
    if (words.takeKeyword("value")) {
      if (!words.takeSymbol("==")) {
        words.expectSymbol("=");
      }
      List<String> one = tuple(words);
      return new RangePhrase(one, true, one, true);
    }
    List<String> lower = List.of();
    boolean lowerInclusive = true;
    if (!words.peek().isKeyword("values")) {
      lower = tuple(words);
      lowerInclusive = words.takeSymbol("<=");
      if (!lowerInclusive) {
        words.expectSymbol("<");
      }
    }
    words.expectKeyword("values");
    if (words.atEnd() && !lower.isEmpty()) {
      return new RangePhrase(lower, lowerInclusive, List.of(), false);
    }
    if (lower.isEmpty() && (words.peek().isSymbol(">=") || words.peek().isSymbol(">"))) {
      boolean inclusive = words.take().text().equals(">=");
      return new RangePhrase(tuple(words), inclusive, List.of(), false);
    }
    boolean upperInclusive = words.takeSymbol("<=");
    if (!upperInclusive) {
      words.expectSymbol("<");
    }
    return new RangePhrase(lower, lowerInclusive, tuple(words), upperInclusive);
  }

  private static List<String> tuple(Words words) {
    if (!words.takeSymbol("(")) {
      return List.of(value(words));
    }
    List<String> values = new ArrayList<>();
    do {
      values.add(value(words));
    } while (words.takeSymbol(","));
    words.expectSymbol(")");
    return values;
  }

  /**
   * Takes a value. In a range, text in double quotes is a value, not a name, because {@code table
   * describe} prints the text of bounds in double quotes.
   */
  private static String value(Words words) {
    Word word = words.peek();
    if (word.kind() == Word.Kind.SYMBOL || word.kind() == Word.Kind.END) {
      throw words.unexpected("a value (" + FORM + ")");
    }
    return words.take().text();
  }

  public RangePhrase {
    if (!lower.isEmpty() && !upper.isEmpty() && lower.size() != upper.size()) {
      throw KuduException.invalidArgument(
          "A range has %d lower and %d upper values; the numbers must be equal",
          lower.size(), upper.size());
    }
  }
}
