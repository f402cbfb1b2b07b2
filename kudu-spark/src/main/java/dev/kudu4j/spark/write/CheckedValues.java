package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Type;
import dev.kudu4j.util.DateUtil;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.ShortType;

/**
 * Values of Spark whose type has more values than the type of their column. The values of rows and
 * the elements of arrays are checked alike.
 *
 * <p>All methods throw {@link IllegalArgumentException}, with the value and the column, if the
 * column cannot contain the value.
 */
final class CheckedValues {
  private CheckedValues() {}

  /**
   * An integer, in the range of an integer column.
   *
   * @param from a row or an array
   * @param type the type of the integer in {@code from}
   */
  static long integer(SpecializedGetters from, int index, DataType type, ColumnSchema to) {
    long value = integer(from, index, type);
    Type target = to.getType();
    int spareBits = 64 - 8 * target.getSize();
    if (value << spareBits >> spareBits != value) {
      throw new IllegalArgumentException(
          value + " is out of the range of column " + to.getName() + ", an " + target.getName());
    }
    return value;
  }

  private static long integer(SpecializedGetters from, int index, DataType type) {
    if (type instanceof IntegerType) {
      return from.getInt(index);
    } else if (type instanceof ShortType) {
      return from.getShort(index);
    } else if (type instanceof ByteType) {
      return from.getByte(index);
    }
    return from.getLong(index);
  }

  /** The same number, with the scale of a decimal column. */
  static Decimal decimal(Decimal value, ColumnSchema to) {
    int precision = to.getTypeAttributes().getPrecision();
    int scale = to.getTypeAttributes().getScale();
    if (value.scale() == scale && value.precision() <= precision) {
      return value;
    }
    Decimal fitted = value.clone();
    if (!fitted.changePrecision(precision, scale) || fitted.compare(value) != 0) {
      throw new IllegalArgumentException(
          value
              + " does not fit column "
              + to.getName()
              + ", a DECIMAL("
              + precision
              + ", "
              + scale
              + "), without rounding");
    }
    return fitted;
  }

  /** A date, as days since 1970-01-01. */
  static int date(int days, ColumnSchema to) {
    try {
      DateUtil.checkDateWithinRange(days);
      return days;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + " of column " + to.getName(), e);
    }
  }
}
