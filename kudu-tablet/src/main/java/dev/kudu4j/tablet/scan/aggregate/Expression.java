package dev.kudu4j.tablet.scan.aggregate;

import dev.kudu4j.common.schema.ColumnSchema;
import java.math.BigDecimal;

/**
 * Arithmetic over columns. Integers and decimals are computed exactly; an expression with a float
 * or double is a double. If an operand is NULL, the result is NULL.
 *
 * <pre>
 *   column(price).times(literal("1").minus(column(discount)))
 * </pre>
 */
public sealed interface Expression {
  /** A numeric column, with its id. */
  record Column(ColumnSchema column) implements Expression {}

  record Literal(BigDecimal value) implements Expression {}

  record Sum(Expression left, Expression right) implements Expression {}

  record Difference(Expression left, Expression right) implements Expression {}

  record Product(Expression left, Expression right) implements Expression {}

  static Expression column(ColumnSchema column) {
    return new Column(column);
  }

  static Expression literal(String number) {
    return new Literal(new BigDecimal(number));
  }

  default Expression plus(Expression other) {
    return new Sum(this, other);
  }

  default Expression minus(Expression other) {
    return new Difference(this, other);
  }

  default Expression times(Expression other) {
    return new Product(this, other);
  }
}
