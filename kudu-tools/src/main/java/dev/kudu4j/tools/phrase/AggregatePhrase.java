package dev.kudu4j.tools.phrase;

import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduAggregateBuilder;
import dev.kudu4j.client.KuduExpression;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Parses aggregates: {@code count(*), sum(price * (1 - discount)) AS revenue, max(shipdate)}. The
 * functions are count, count distinct, approx_count_distinct, sum, min, max and avg; arguments are
 * columns, numbers, {@code + - *} and parentheses.
 */
public final class AggregatePhrase {
  private static final String SYMBOLS = "(),+-*";
  private static final String COUNT_DISTINCT = "count distinct";
  private static final String APPROXIMATE = "approx_count_distinct";
  private static final List<String> FUNCTIONS =
      List.of("count", "sum", "min", "max", "avg", APPROXIMATE);

  /**
   * An aggregate.
   *
   * @param function the function in lower case
   * @param argument null for {@code count(*)}
   * @param name the name of the result column
   */
  private record Call(String function, Term argument, String name) {}

  /** An argument: a column, a number, or a calculation. */
  private sealed interface Term {
    record Column(String name) implements Term {}

    record Literal(String text) implements Term {}

    record Calculation(String operator, Term left, Term right) implements Term {}
  }

  private final String phrase;
  private final Words words;
  private final List<Call> calls = new ArrayList<>();

  private AggregatePhrase(String text) {
    this.phrase = text;
    this.words = new Words("--aggregate", text, SYMBOLS);
  }

  /**
   * @throws KuduException INVALID_ARGUMENT with the position of the error
   */
  public static AggregatePhrase parse(String text) {
    AggregatePhrase phrase = new AggregatePhrase(text);
    do {
      phrase.call();
    } while (phrase.words.takeSymbol(","));
    if (!phrase.words.atEnd()) {
      throw phrase.words.unexpected("',' or the end");
    }
    return phrase;
  }

  private void call() {
    Word function = words.take();
    String name = function.text().toLowerCase(Locale.ROOT);
    if (!function.isName() || !FUNCTIONS.contains(name)) {
      throw words.unexpected(function, "count, sum, min, max, avg or approx_count_distinct");
    }
    words.expectSymbol("(");
    boolean isStar = name.equals("count") && words.takeSymbol("*");
    if (name.equals("count") && words.takeKeyword("distinct")) {
      name = COUNT_DISTINCT;
    }
    Term argument = isStar ? null : sum();
    int end = words.peek().position();
    words.expectSymbol(")");
    String text = phrase.substring(function.position() - 1, end).strip();
    if (words.takeKeyword("as")) {
      if (!words.peek().isName()) {
        throw words.unexpected("a name");
      }
      text = words.take().text();
    }
    calls.add(new Call(name, argument, text));
  }

  private Term sum() {
    Term term = product();
    while (words.peek().isSymbol("+") || words.peek().isSymbol("-")) {
      String operator = words.take().text();
      term = new Term.Calculation(operator, term, product());
    }
    return term;
  }

  private Term product() {
    Term term = factor();
    while (words.takeSymbol("*")) {
      term = new Term.Calculation("*", term, factor());
    }
    return term;
  }

  private Term factor() {
    if (words.takeSymbol("(")) {
      Term inner = sum();
      words.expectSymbol(")");
      return inner;
    }
    if (words.takeSymbol("-")) {
      return new Term.Calculation("-", new Term.Literal("0"), factor());
    }
    Word word = words.take();
    if (!word.isName()) {
      throw words.unexpected(word, "a column, a number or '('");
    }
    boolean isNumber = word.kind() == Word.Kind.BARE && Character.isDigit(word.text().charAt(0));
    return isNumber ? new Term.Literal(word.text()) : new Term.Column(word.text());
  }

  /** The columns of the result, in order. */
  public List<String> names() {
    return calls.stream().map(Call::name).toList();
  }

  /**
   * Adds the aggregates.
   *
   * @throws KuduException if the table has no such column, or it does not support the function
   */
  public void addTo(KuduAggregateBuilder aggregate, Schema schema) {
    try {
      for (Call call : calls) {
        add(call, aggregate, schema);
      }
    } catch (IllegalArgumentException e) {
      throw KuduException.invalidArgument("--aggregate: %s", e.getMessage());
    }
  }

  private static void add(Call call, KuduAggregateBuilder aggregate, Schema schema) {
    if (call.argument() == null) {
      aggregate.count(call.name());
    } else if (call.argument() instanceof Term.Column column) {
      addOfColumn(call, Condition.column(schema, column.name()).getName(), aggregate);
    } else {
      addOfExpression(call, expression(call.argument(), schema), aggregate);
    }
  }

  private static void addOfColumn(Call call, String column, KuduAggregateBuilder aggregate) {
    switch (call.function()) {
      case "count" -> aggregate.count(call.name(), column);
      case COUNT_DISTINCT -> aggregate.countDistinct(call.name(), column);
      case APPROXIMATE -> aggregate.countDistinctApprox(call.name(), column);
      case "sum" -> aggregate.sum(call.name(), column);
      case "min" -> aggregate.min(call.name(), column);
      case "max" -> aggregate.max(call.name(), column);
      default -> aggregate.average(call.name(), column);
    }
  }

  private static void addOfExpression(
      Call call, KuduExpression value, KuduAggregateBuilder aggregate) {
    switch (call.function()) {
      case "sum" -> aggregate.sum(call.name(), value);
      case "min" -> aggregate.min(call.name(), value);
      case "max" -> aggregate.max(call.name(), value);
      case "avg" -> aggregate.average(call.name(), value);
      case APPROXIMATE ->
          throw KuduException.invalidArgument("--aggregate: approx_count_distinct needs a column");
      default -> throw KuduException.invalidArgument("--aggregate: count needs * or a column");
    }
  }

  private static KuduExpression expression(Term term, Schema schema) {
    if (term instanceof Term.Column column) {
      return KuduExpression.column(Condition.column(schema, column.name()));
    } else if (term instanceof Term.Literal number) {
      try {
        return KuduExpression.literal(number.text());
      } catch (NumberFormatException e) {
        throw KuduException.invalidArgument("--aggregate: %s is not a number", number.text());
      }
    }
    Term.Calculation calculation = (Term.Calculation) term;
    KuduExpression left = expression(calculation.left(), schema);
    KuduExpression right = expression(calculation.right(), schema);
    return switch (calculation.operator()) {
      case "+" -> left.plus(right);
      case "-" -> left.minus(right);
      default -> left.times(right);
    };
  }
}
