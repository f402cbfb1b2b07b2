package dev.kudu4j.common.expression;

import dev.kudu4j.common.schema.ColumnSchema;
import java.math.BigDecimal;
import java.util.function.Consumer;

/**
 * Arithmetic over columns. Integers and decimals are computed exactly; an expression with a float
 * or double is a double. If an operand is NULL, the result is NULL.
 *
 * <pre>
 *   column(price).times(literal("1").minus(column(discount)))
 * </pre>
 */
public sealed interface Expression {
  /**
   * A column; arithmetic needs one whose type {@link dev.kudu4j.common.schema.DataType#isNumber}.
   */
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

  /** Passes each column, possibly more than once. */
  default void forEachColumn(Consumer<ColumnSchema> action) {
    if (this instanceof Column column) {
      action.accept(column.column());
    } else if (this instanceof Sum sum) {
      sum.left().forEachColumn(action);
      sum.right().forEachColumn(action);
    } else if (this instanceof Difference difference) {
      difference.left().forEachColumn(action);
      difference.right().forEachColumn(action);
    } else if (this instanceof Product product) {
      product.left().forEachColumn(action);
      product.right().forEachColumn(action);
    }
  }
}
