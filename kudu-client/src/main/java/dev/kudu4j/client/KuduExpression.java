package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.Condition.Comparison;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.expression.ExpressionText;
import dev.kudu4j.common.expression.NumberType;
import java.math.BigDecimal;

/**
 * Arithmetic on numeric columns, for {@linkplain KuduAggregateBuilder aggregates} and {@linkplain
 * KuduCondition conditions}. Immutable.
 *
 * <pre>{@code
 * KuduExpression price = KuduExpression.column(schema.getColumn("l_extendedprice"));
 * KuduExpression discount = KuduExpression.column(schema.getColumn("l_discount"));
 * KuduExpression revenue = price.times(KuduExpression.literal("1").minus(discount));
 * }</pre>
 *
 * <p>Integers, dates, timestamps and decimals are computed exactly, in 64 bits by the servers. If a
 * number needs more, aggregations continue in the client, which has no limit, and so do scans that
 * have not returned a row yet; others fail. If a FLOAT or DOUBLE column takes part, the result is a
 * double. The result is NULL if a column is NULL.
 */
public final class KuduExpression {
  private final Expression expression;

  private KuduExpression(Expression expression) {
    this.expression = expression;
  }

  /**
   * The value of a column: an integer, a date (in days), a timestamp (in microseconds), a decimal
   * of up to 18 digits, a float or a double.
   *
   * @throws IllegalArgumentException for a column of another type
   */
  public static KuduExpression column(ColumnSchema column) {
    Expression expression = Expression.column(AbstractKuduScannerBuilder.stripped(column));
    if (!column.toCommon().type().isNumber()) {
      throw new IllegalArgumentException(
          column + " does not support arithmetic; use a number, date or timestamp");
    }
    return new KuduExpression(expression);
  }

  public static KuduExpression literal(long number) {
    return literal(BigDecimal.valueOf(number));
  }

  /** A decimal number, such as {@code "0.05"}. */
  public static KuduExpression literal(String number) {
    return literal(new BigDecimal(number));
  }

  public static KuduExpression literal(BigDecimal number) {
    return new KuduExpression(new Expression.Literal(number));
  }

  public KuduExpression plus(KuduExpression other) {
    return new KuduExpression(expression.plus(other.expression));
  }

  public KuduExpression minus(KuduExpression other) {
    return new KuduExpression(expression.minus(other.expression));
  }

  public KuduExpression times(KuduExpression other) {
    return new KuduExpression(expression.times(other.expression));
  }

  /** Compares two expressions. Doubles compare as in IEEE 754. */
  public KuduCondition compare(ComparisonOp op, KuduExpression other) {
    Comparison comparison = KuduCondition.comparison(op);
    return new KuduCondition(
        new Condition.NumberComparison(comparison, expression, other.expression));
  }

  Expression toCommon() {
    return expression;
  }

  NumberType type() {
    return NumberType.of(expression);
  }

  /** The expression in SQL. */
  @Override
  public String toString() {
    return ExpressionText.of(expression);
  }
}
