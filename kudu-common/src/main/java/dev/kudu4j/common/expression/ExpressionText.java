package dev.kudu4j.common.expression;

import dev.kudu4j.common.predicate.PredicateText;
import dev.kudu4j.common.schema.ColumnSchema;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Formats expressions, conditions and aggregates as SQL. Redacted text shows no cells, patterns or
 * numbers of conditions.
 */
public final class ExpressionText {
  private ExpressionText() {}

  public static String of(Expression expression) {
    return of(expression, false);
  }

  private static String of(Expression expression, boolean redacted) {
    if (expression instanceof Expression.Column column) {
      return column.column().name();
    } else if (expression instanceof Expression.Literal literal) {
      return redacted ? PredicateText.REDACTED : number(literal.value());
    } else if (expression instanceof Expression.Sum sum) {
      return of(sum.left(), redacted) + " + " + of(sum.right(), redacted);
    } else if (expression instanceof Expression.Difference difference) {
      return of(difference.left(), redacted) + " - " + inParentheses(difference.right(), redacted);
    }
    Expression.Product product = (Expression.Product) expression;
    return inParentheses(product.left(), redacted)
        + " * "
        + inParentheses(product.right(), redacted);
  }

  private static String number(BigDecimal value) {
    return value.toPlainString();
  }

  private static String inParentheses(Expression expression, boolean redacted) {
    boolean isSum =
        expression instanceof Expression.Sum || expression instanceof Expression.Difference;
    return isSum ? "(" + of(expression, redacted) + ")" : of(expression, redacted);
  }

  /**
   * @param redacted whether to hide values
   */
  public static String of(Condition condition, boolean redacted) {
    if (condition instanceof Condition.And and) {
      return joined(and.parts(), " AND ", "TRUE", redacted);
    } else if (condition instanceof Condition.Or or) {
      return joined(or.parts(), " OR ", "FALSE", redacted);
    } else if (condition instanceof Condition.Not not) {
      return "NOT (" + of(not.part(), redacted) + ")";
    } else if (condition instanceof Condition.Match match) {
      return PredicateText.of(match.predicate(), redacted);
    } else if (condition instanceof Condition.Like like) {
      String pattern = redacted ? PredicateText.REDACTED : "'" + like.pattern().text() + "'";
      return like.column().name() + " LIKE " + pattern;
    } else if (condition instanceof Condition.NumberComparison numbers) {
      return of(numbers.left(), redacted)
          + " "
          + numbers.comparison().symbol()
          + " "
          + of(numbers.right(), redacted);
    } else if (condition instanceof Condition.Sample sample) {
      return sample(sample);
    }
    Condition.ColumnComparison columns = (Condition.ColumnComparison) condition;
    return columns.left().name()
        + " "
        + columns.comparison().symbol()
        + " "
        + columns.right().name();
  }

  /** Such as {@code SAMPLE(id, 0.0 TO 0.1, SEED 7)}; reveals nothing of the rows. */
  private static String sample(Condition.Sample sample) {
    String columns =
        sample.columns().stream().map(ColumnSchema::name).collect(Collectors.joining(", "));
    return "SAMPLE(%s, %s TO %s, SEED %d)"
        .formatted(columns, sample.lower(), sample.upper(), sample.seed());
  }

  private static String joined(
      List<Condition> parts, String operator, String empty, boolean redacted) {
    return parts.isEmpty()
        ? empty
        : parts.stream()
            .map(part -> of(part, redacted))
            .collect(Collectors.joining(operator, "(", ")"));
  }

  /**
   * @param redacted whether to hide values of a filter
   */
  public static String of(Aggregate aggregate, boolean redacted) {
    String argument = aggregate.argument() == null ? "*" : of(aggregate.argument(), redacted);
    String call = aggregate.function() + "(" + argument + ")";
    return aggregate.filter() == null
        ? call
        : call + " FILTER (WHERE " + of(aggregate.filter(), redacted) + ")";
  }
}
