package dev.kudu4j.common.expression;

import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates conditions and expressions row by row. Clients use it where a server cannot evaluate
 * them; tablets evaluate whole blocks instead.
 */
public final class RowEvaluator {
  /** The cells of a row. */
  @FunctionalInterface
  public interface Row {
    /** The cell of a column, in cell form; null for NULL. */
    byte @Nullable [] cell(ColumnSchema column);
  }

  private RowEvaluator() {}

  /** Whether the condition is true for the row, neither false nor unknown. */
  public static boolean matches(Condition condition, Row row) {
    return Boolean.TRUE.equals(test(condition, row));
  }

  /** The value of the condition; null if it is unknown. */
  public static @Nullable Boolean test(Condition condition, Row row) {
    if (condition instanceof Condition.And and) {
      return all(and.parts(), true, row);
    } else if (condition instanceof Condition.Or or) {
      return all(or.parts(), false, row);
    } else if (condition instanceof Condition.Not not) {
      Boolean part = test(not.part(), row);
      return part == null ? null : !part;
    } else if (condition instanceof Condition.Match match) {
      return match(match.predicate(), row);
    } else if (condition instanceof Condition.Like like) {
      byte[] text = row.cell(like.column());
      return text == null ? null : like.pattern().matches(text, 0, text.length);
    } else if (condition instanceof Condition.NumberComparison numbers) {
      return compare(numbers, row);
    } else if (condition instanceof Condition.Sample sample) {
      return SampleHash.keeps(sample, row);
    }
    return compare((Condition.ColumnComparison) condition, row);
  }

  /**
   * The conjunction of the parts if {@code neutral} is true, else their disjunction: the first part
   * that differs from {@code neutral} decides, and one that is unknown makes the rest unknown.
   */
  private static @Nullable Boolean all(List<Condition> parts, boolean neutral, Row row) {
    Boolean value = neutral;
    for (Condition part : parts) {
      Boolean tested = test(part, row);
      if (tested == null) {
        value = null;
      } else if (tested != neutral) {
        return tested;
      }
    }
    return value;
  }

  private static @Nullable Boolean match(ColumnPredicate predicate, Row row) {
    byte[] cell = row.cell(predicate.column());
    boolean ofNulls =
        predicate instanceof ColumnPredicate.IsNull
            || predicate instanceof ColumnPredicate.IsNotNull;
    boolean unknown = cell == null && !ofNulls;
    return unknown ? null : (Boolean) ColumnPredicates.matches(predicate, cell);
  }

  private static @Nullable Boolean compare(Condition.NumberComparison numbers, Row row) {
    Number left = evaluate(numbers.left(), row);
    Number right = evaluate(numbers.right(), row);
    if (left == null || right == null) {
      return null;
    }
    if (left instanceof BigDecimal a && right instanceof BigDecimal b) {
      return numbers.comparison().holds(a.compareTo(b));
    }
    return numbers.comparison().holds(left.doubleValue(), right.doubleValue());
  }

  private static @Nullable Boolean compare(Condition.ColumnComparison columns, Row row) {
    byte[] left = row.cell(columns.left());
    byte[] right = row.cell(columns.right());
    if (left == null || right == null) {
      return null;
    }
    DataType type = columns.left().type();
    return type.isFloating()
        ? columns.comparison().holds(floating(type, left), floating(type, right))
        : columns.comparison().holds(CellOrder.compare(type, left, right));
  }

  /**
   * The value of an expression: a BigDecimal for exact numbers, else a Double; null for NULL. Exact
   * numbers may have more than 64 bits here.
   */
  public static @Nullable Number evaluate(Expression expression, Row row) {
    if (expression instanceof Expression.Column column) {
      byte[] cell = row.cell(column.column());
      return cell == null ? null : number(column.column(), cell);
    } else if (expression instanceof Expression.Literal literal) {
      return literal.value();
    } else if (expression instanceof Expression.Sum sum) {
      return apply(sum.left(), sum.right(), row, BigDecimal::add, Double::sum);
    } else if (expression instanceof Expression.Difference difference) {
      return apply(
          difference.left(), difference.right(), row, BigDecimal::subtract, (a, b) -> a - b);
    }
    Expression.Product product = (Expression.Product) expression;
    return apply(product.left(), product.right(), row, BigDecimal::multiply, (a, b) -> a * b);
  }

  private static @Nullable Number apply(
      Expression left,
      Expression right,
      Row row,
      BinaryOperator<BigDecimal> exact,
      DoubleBinaryOperator floating) {
    Number a = evaluate(left, row);
    Number b = evaluate(right, row);
    if (a == null || b == null) {
      return null;
    }
    if (a instanceof BigDecimal x && b instanceof BigDecimal y) {
      return exact.apply(x, y);
    }
    return floating.applyAsDouble(a.doubleValue(), b.doubleValue());
  }

  /** The number in the cell of a column: a BigDecimal, or a Double for a floating type. */
  public static Number number(ColumnSchema column, byte[] cell) {
    DataType type = column.type();
    if (type.isFloating()) {
      return floating(type, cell);
    }
    byte[] bigEndian = new byte[cell.length + 1];
    for (int i = 0; i < cell.length; i++) {
      bigEndian[cell.length - i] = cell[i];
    }
    bigEndian[0] = (byte) (type.isUnsigned() ? 0 : bigEndian[1] >> 7);
    return new BigDecimal(new BigInteger(bigEndian), type.isDecimal() ? column.scale() : 0);
  }

  private static double floating(DataType type, byte[] cell) {
    return type == DataType.FLOAT
        ? Float.intBitsToFloat(LittleEndian.getInt(cell, 0))
        : Double.longBitsToDouble(LittleEndian.getLong(cell, 0));
  }
}
