package dev.kudu4j.spark.read;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduExpression;
import dev.kudu4j.spark.type.SparkTypes;
import java.math.BigDecimal;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Cast;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.GeneralScalarExpression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/**
 * Translates Spark's arithmetic to expressions of the servers if both have the same value in every
 * row. Servers compute integers and decimals exactly, so casts to a wider type change nothing.
 *
 * <p>Not translated are operations whose decimal result Spark would round, casts that may lose
 * digits, FLOAT arithmetic, which Spark does in single precision, and arithmetic on dates and
 * times. An overflow of a narrow integer that Spark would report may go unnoticed, except in a
 * result.
 */
final class PushedExpressions {
  private static final int MAX_DIGITS = 38;

  /**
   * The minimum number of digits after the decimal point that Spark keeps when it limits the
   * precision of a result.
   */
  private static final int KEPT_SCALE = 6;

  /** Messages must not be nested deeply. */
  private static final int MAX_LEVELS = 16;

  /** Every number with at most this many digits fits into 64 bits. */
  private static final int SAFE_DIGITS = 18;

  private final Schema schema;

  PushedExpressions(Schema schema) {
    this.schema = schema;
  }

  /**
   * A translated expression.
   *
   * @param type its type in Spark
   * @param digits the maximum number of digits of an exact number
   * @param scale those of them after the decimal point
   * @param narrow whether no intermediate result can have more than {@link #SAFE_DIGITS} digits, so
   *     the servers can always compute it; otherwise they may report an overflow
   */
  record Typed(KuduExpression expression, DataType type, int digits, int scale, boolean narrow) {
    boolean isExact() {
      return !type.equals(DataTypes.DoubleType);
    }

    /** Whether the servers can always compare this with another exact number. */
    boolean isComparableWith(Typed other) {
      int common = Math.max(scale, other.scale);
      return isExact() && other.isExact() && fits(common) && other.fits(common);
    }

    private boolean fits(int commonScale) {
      return narrow && (scale == commonScale || digits - scale + commonScale <= SAFE_DIGITS);
    }

    private Typed as(DataType other) {
      return new Typed(expression, other, digits, scale, narrow);
    }
  }

  /** The column that an expression refers to, if it is one. */
  Optional<ColumnSchema> column(Expression expression) {
    if (expression instanceof NamedReference reference
        && reference.fieldNames().length == 1
        && schema.hasColumn(reference.fieldNames()[0])) {
      return Optional.of(schema.getColumn(reference.fieldNames()[0]));
    }
    return Optional.empty();
  }

  /** The value of an expression over integers, decimals of up to 18 digits, or doubles. */
  Optional<Typed> translate(Expression expression) {
    return translate(expression, MAX_LEVELS);
  }

  private Optional<Typed> translate(Expression expression, int levels) {
    if (levels == 0) {
      return Optional.empty();
    }
    if (expression instanceof NamedReference) {
      return column(expression).flatMap(PushedExpressions::number);
    } else if (expression instanceof Literal<?> literal) {
      return literal(literal);
    } else if (expression instanceof Cast cast) {
      return translate(cast.expression(), levels - 1)
          .flatMap(typed -> cast(typed, cast.dataType()));
    } else if (expression instanceof GeneralScalarExpression operation
        && operation.children().length == 2) {
      Optional<Typed> left = translate(operation.children()[0], levels - 1);
      Optional<Typed> right = translate(operation.children()[1], levels - 1);
      return left.isEmpty() || right.isEmpty()
          ? Optional.empty()
          : apply(operation.name(), left.get(), right.get());
    }
    return Optional.empty();
  }

  private static Optional<Typed> number(ColumnSchema column) {
    boolean supported =
        switch (column.getType()) {
          case INT8, INT16, INT32, INT64, DOUBLE -> true;
          case DECIMAL -> column.getTypeAttributes().getPrecision() <= SAFE_DIGITS;
          default -> false;
        };
    if (!supported) {
      return Optional.empty();
    }
    DataType type = SparkTypes.sparkType(column);
    return Optional.of(
        new Typed(
            KuduExpression.column(column),
            type,
            integerDigits(type) + scale(type),
            scale(type),
            true));
  }

  private static Optional<Typed> literal(Literal<?> literal) {
    Object value = literal.value();
    if (value instanceof Byte
        || value instanceof Short
        || (value instanceof Integer && literal.dataType().equals(DataTypes.IntegerType))
        || (value instanceof Long && literal.dataType().equals(DataTypes.LongType))) {
      return literal(BigDecimal.valueOf(((Number) value).longValue()), literal.dataType());
    } else if (value instanceof Decimal decimal) {
      return literal(decimal.toJavaBigDecimal(), literal.dataType());
    } else if (value instanceof Double number
        && Double.isFinite(number)
        && !(number == 0 && 1 / number < 0)) {
      return literal(BigDecimal.valueOf(number), literal.dataType());
    }
    return Optional.empty();
  }

  private static Optional<Typed> literal(BigDecimal number, DataType type) {
    int scale = Math.max(0, number.scale());
    int digits = Math.max(scale, number.setScale(scale).precision());
    return digits > SAFE_DIGITS
        ? Optional.empty()
        : Optional.of(new Typed(KuduExpression.literal(number), type, digits, scale, true));
  }

  private static Optional<Typed> cast(Typed value, DataType to) {
    if (value.type().equals(to)) {
      return Optional.of(value);
    }
    int digits = integerDigits(value.type());
    boolean wider = false;
    if (to instanceof DecimalType decimal && value.isExact()) {
      wider =
          decimal.precision() - decimal.scale() >= digits && decimal.scale() >= scale(value.type());
    } else if (isInteger(to) && isInteger(value.type())) {
      wider = integerDigits(to) >= digits;
    }
    return wider ? Optional.of(value.as(to)) : Optional.empty();
  }

  private static boolean isInteger(DataType type) {
    return type.equals(DataTypes.ByteType)
        || type.equals(DataTypes.ShortType)
        || type.equals(DataTypes.IntegerType)
        || type.equals(DataTypes.LongType);
  }

  private static int integerDigits(DataType type) {
    if (type instanceof DecimalType decimal) {
      return decimal.precision() - decimal.scale();
    }
    return type.equals(DataTypes.ByteType)
        ? 3
        : type.equals(DataTypes.ShortType) ? 5 : type.equals(DataTypes.IntegerType) ? 10 : 20;
  }

  private static int scale(DataType type) {
    return type instanceof DecimalType decimal ? decimal.scale() : 0;
  }

  private static Optional<Typed> apply(String operator, Typed left, Typed right) {
    Optional<DataType> type = resultType(operator, left.type(), right.type());
    KuduExpression a = left.expression();
    KuduExpression b = right.expression();
    return type.flatMap(
        result ->
            switch (operator) {
              case "+" -> Optional.of(added(a.plus(b), result, left, right));
              case "-" -> Optional.of(added(a.minus(b), result, left, right));
              case "*" -> Optional.of(multiplied(a.times(b), result, left, right));
              default -> Optional.empty();
            });
  }

  private static Typed added(KuduExpression sum, DataType type, Typed left, Typed right) {
    int scale = Math.max(left.scale(), right.scale());
    int max = Math.max(left.digits() - left.scale(), right.digits() - right.scale());
    return result(sum, type, max + 1 + scale, scale, left, right);
  }

  private static Typed multiplied(KuduExpression product, DataType type, Typed left, Typed right) {
    int digits = left.digits() + right.digits();
    return result(product, type, digits, left.scale() + right.scale(), left, right);
  }

  private static Typed result(
      KuduExpression value, DataType type, int digits, int scale, Typed left, Typed right) {
    boolean narrow = left.narrow() && right.narrow() && digits <= SAFE_DIGITS;
    return new Typed(value, type, digits, scale, narrow);
  }

  /** The type that Spark gives the result; empty if it would be rounded. */
  private static Optional<DataType> resultType(String operator, DataType left, DataType right) {
    if (left instanceof DecimalType a && right instanceof DecimalType b) {
      int scale = operator.equals("*") ? a.scale() + b.scale() : Math.max(a.scale(), b.scale());
      int precision =
          operator.equals("*")
              ? a.precision() + b.precision() + 1
              : Math.max(a.precision() - a.scale(), b.precision() - b.scale()) + scale + 1;
      return precision > MAX_DIGITS && scale > KEPT_SCALE
          ? Optional.empty()
          : Optional.of(DataTypes.createDecimalType(Math.min(precision, MAX_DIGITS), scale));
    }
    return left.equals(right) && !(left instanceof DecimalType)
        ? Optional.of(left)
        : Optional.empty();
  }

  /**
   * Whether Spark and the servers order the values of a column in the same way. Servers do not
   * compare arrays.
   */
  static boolean isOrdered(ColumnSchema column) {
    return column.getType() != Type.FLOAT && column.getType() != Type.DOUBLE && !column.isArray();
  }
}
