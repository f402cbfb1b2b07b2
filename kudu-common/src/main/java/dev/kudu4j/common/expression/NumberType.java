package dev.kudu4j.common.expression;

import dev.kudu4j.common.expression.Expression.Column;
import dev.kudu4j.common.expression.Expression.Difference;
import dev.kudu4j.common.expression.Expression.Literal;
import dev.kudu4j.common.expression.Expression.Product;
import dev.kudu4j.common.expression.Expression.Sum;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.status.KuduException;

/**
 * The type of the numbers of an expression: doubles, or exact numbers with a fixed number of
 * decimal digits.
 *
 * @param scale decimal digits; 0 for doubles
 * @param decimal whether a column or literal of the expression has a decimal type or digits; the
 *     result is then a decimal even if its scale is 0
 */
public record NumberType(boolean floating, int scale, boolean decimal) {
  /**
   * The type of an expression.
   *
   * @throws KuduException NOT_SUPPORTED for a column that arithmetic does not support
   */
  public static NumberType of(Expression expression) {
    if (expression instanceof Column column) {
      return of(column.column());
    } else if (expression instanceof Literal literal) {
      int scale = Math.max(0, literal.value().scale());
      return new NumberType(false, scale, scale > 0);
    } else if (expression instanceof Sum sum) {
      return of(sum.left()).added(of(sum.right()));
    } else if (expression instanceof Difference difference) {
      return of(difference.left()).added(of(difference.right()));
    }
    Product product = (Product) expression;
    return of(product.left()).multiplied(of(product.right()));
  }

  private static NumberType of(ColumnSchema column) {
    if (!column.type().isNumber()) {
      throw KuduException.notSupported(
          "Column %s does not support arithmetic; use integers or decimals of up to 64 bits, dates,"
              + " times, floats or doubles",
          column);
    }
    boolean isDecimal = column.type().isDecimal();
    return new NumberType(column.type().isFloating(), isDecimal ? column.scale() : 0, isDecimal);
  }

  /** The type of the sum or difference of two numbers. */
  private NumberType added(NumberType other) {
    boolean anyFloating = floating || other.floating;
    int digits = anyFloating ? 0 : Math.max(scale, other.scale);
    return new NumberType(anyFloating, digits, decimal || other.decimal);
  }

  private NumberType multiplied(NumberType other) {
    boolean anyFloating = floating || other.floating;
    int digits = anyFloating ? 0 : scale + other.scale;
    return new NumberType(anyFloating, digits, decimal || other.decimal);
  }
}
