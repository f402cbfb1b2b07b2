package dev.kudu4j.tools.phrase;

import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Parses conditions: {@code id >= 5 AND name = 'x' AND tailnum IS NOT NULL}. Numbers, dates and
 * booleans have no quotes, other values have single quotes.
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
  public static List<Condition> parse(String text) {
    WhereClause clause = new WhereClause(text);
    List<Condition> conditions = new ArrayList<>();
    do {
      clause.condition(conditions);
    } while (clause.and());
    return conditions;
  }

  private boolean and() {
    if (words.atEnd()) {
      return false;
    }
    if (words.peek().isKeyword("or")) {
      throw KuduException.invalidArgument(
          "--where: OR at character %d; servers support only conditions combined with"
              + " AND; use IN (...) for several values of a column, or several scans",
          words.peek().position());
    }
    words.expectKeyword("and");
    return true;
  }

  private void condition(List<Condition> into) {
    if (!words.peek().isName()) {
      throw words.unexpected("a column name");
    }
    String column = words.take().text();
    Word operator = words.take();
    if (operator.kind() == Word.Kind.SYMBOL && OPERATORS.containsKey(operator.text())) {
      into.add(new Condition.Comparison(column, OPERATORS.get(operator.text()), value()));
    } else if (operator.isSymbol("!=") || operator.isSymbol("<>")) {
      throw KuduException.invalidArgument(
          "--where: '%s' at character %d; servers support only the comparisons = < <= > >=",
          operator.text(), operator.position());
    } else if (operator.isKeyword("in")) {
      into.add(new Condition.InList(column, values()));
    } else if (operator.isKeyword("between")) {
      into.add(new Condition.Comparison(column, ComparisonOp.GREATER_EQUAL, value()));
      words.expectKeyword("and");
      into.add(new Condition.Comparison(column, ComparisonOp.LESS_EQUAL, value()));
    } else if (operator.isKeyword("is")) {
      boolean not = words.takeKeyword("not");
      words.expectKeyword("null");
      into.add(new Condition.Nullness(column, !not));
    } else {
      throw words.unexpected(operator, "one of = < <= > >= IN BETWEEN IS");
    }
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
