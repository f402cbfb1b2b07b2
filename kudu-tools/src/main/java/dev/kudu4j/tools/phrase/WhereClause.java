package dev.kudu4j.tools.phrase;

import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Parses filters: {@code id >= 5 AND (name LIKE 'x%' OR NOT tailnum IS NULL)}. Numbers, dates and
 * booleans have no quotes, other values have single quotes. A value may also be a column.
 */
public final class WhereClause {
  private static final Map<String, ComparisonOp> OPERATORS =
      Map.of(
          "=", ComparisonOp.EQUAL,
          "==", ComparisonOp.EQUAL,
          "<", ComparisonOp.LESS,
          "<=", ComparisonOp.LESS_EQUAL,
          ">", ComparisonOp.GREATER,
          ">=", ComparisonOp.GREATER_EQUAL);

  private final Words words;

  private WhereClause(String text) {
    this.words = new Words("--where", text);
  }

  /**
   * @throws KuduException INVALID_ARGUMENT with the position of the error
   */
  public static Filter parse(String text) {
    WhereClause clause = new WhereClause(text);
    Filter filter = clause.or();
    if (!clause.words.atEnd()) {
      throw clause.words.unexpected("AND, OR or the end");
    }
    return filter;
  }

  private Filter or() {
    List<Filter> parts = new ArrayList<>(List.of(and()));
    while (words.takeKeyword("or")) {
      parts.add(and());
    }
    return parts.size() == 1 ? parts.get(0) : new Filter.Or(parts);
  }

  private Filter and() {
    List<Filter> parts = new ArrayList<>(List.of(not()));
    while (words.takeKeyword("and")) {
      parts.add(not());
    }
    return parts.size() == 1 ? parts.get(0) : new Filter.And(parts);
  }

  private Filter not() {
    if (words.takeKeyword("not")) {
      return new Filter.Not(not());
    }
    if (words.takeSymbol("(")) {
      Filter inner = or();
      words.expectSymbol(")");
      return inner;
    }
    return test();
  }

  private Filter test() {
    if (!words.peek().isName()) {
      throw words.unexpected("a column name");
    }
    String column = words.take().text();
    Word operator = words.take();
    if (operator.kind() == Word.Kind.SYMBOL && OPERATORS.containsKey(operator.text())) {
      return comparison(column, OPERATORS.get(operator.text()));
    } else if (operator.isSymbol("!=") || operator.isSymbol("<>")) {
      return new Filter.Not(comparison(column, ComparisonOp.EQUAL));
    } else if (operator.isKeyword("is")) {
      boolean not = words.takeKeyword("not");
      words.expectKeyword("null");
      return new Condition.Nullness(column, !not);
    } else if (operator.isKeyword("not")) {
      return new Filter.Not(list(column, words.take()));
    }
    return list(column, operator);
  }

  private Filter comparison(String column, ComparisonOp operator) {
    Word right = words.peek();
    if (right.kind() == Word.Kind.NAME) {
      return new Filter.Columns(column, operator, words.take().text());
    }
    boolean mayBeColumn =
        right.kind() == Word.Kind.BARE && Character.isLetter(right.text().charAt(0));
    String value = value();
    return mayBeColumn
        ? new Filter.ColumnOrValue(column, operator, value)
        : new Condition.Comparison(column, operator, value);
  }

  /** A test that may follow NOT. */
  private Filter list(String column, Word operator) {
    if (operator.isKeyword("in")) {
      return new Condition.InList(column, values());
    } else if (operator.isKeyword("like")) {
      return new Filter.Like(column, value());
    } else if (operator.isKeyword("between")) {
      Filter lower = new Condition.Comparison(column, ComparisonOp.GREATER_EQUAL, value());
      words.expectKeyword("and");
      Filter upper = new Condition.Comparison(column, ComparisonOp.LESS_EQUAL, value());
      return new Filter.And(List.of(lower, upper));
    }
    throw words.unexpected(operator, "one of = <> < <= > >= IN BETWEEN LIKE IS NOT");
  }

  private String value() {
    if (!words.peek().isValue() || words.peek().isKeyword("null")) {
      throw words.unexpected("a value (text in single quotes)");
    }
    return words.take().text();
  }

  private List<String> values() {
    words.expectSymbol("(");
    List<String> values = new ArrayList<>();
    do {
      values.add(value());
    } while (words.takeSymbol(","));
    words.expectSymbol(")");
    return values;
  }
}
