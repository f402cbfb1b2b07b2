package dev.kudu4j.spark.type;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.util.DateUtil;
import dev.kudu4j.util.TimestampUtil;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;

/** Rows and values in the internal form of Spark. */
public final class InternalRows {
  private InternalRows() {}

  /**
   * @param cells the cells in the internal form of Spark
   */
  public static InternalRow of(Object... cells) {
    return InternalRow.fromSeq(CollectionConverters.asScala(Arrays.asList(cells)).toSeq());
  }

  /**
   * Converts a cell that is not NULL to a type. The result of an expression has 64 bits when it is
   * received, or the bits of its column's type.
   *
   * @throws ArithmeticException if a number does not fit, as Spark itself would have reported
   */
  public static Object cell(RowResult from, int column, DataType type) {
    if (type.equals(DataTypes.TimestampType) || type.equals(DataTypes.TimestampNTZType)) {
      return from.getLong(column);
    } else if (type.equals(DataTypes.DateType)) {
      return from.getInt(column);
    } else if (type.equals(DataTypes.BinaryType)) {
      return from.getBinaryCopy(column);
    }
    if (type instanceof ArrayType array) {
      return ArrayValues.of(from.getArray(column), array.elementType());
    }
    Object value = from.getObject(column);
    if (type instanceof DecimalType decimal) {
      return Decimal.apply(exact(value), decimal.precision(), decimal.scale());
    } else if (value instanceof String text) {
      return UTF8String.fromString(text);
    }
    return value instanceof Number number ? converted(number, type) : value;
  }

  /**
   * A value of a column, as {@code RowResult.getObject} returns it, in the internal form of Spark.
   */
  public static Object value(ColumnSchema column, Object value) {
    if (value instanceof Timestamp timestamp) {
      return TimestampUtil.timestampToMicros(timestamp);
    } else if (value instanceof Date date) {
      return DateUtil.sqlDateToEpochDays(date);
    } else if (value instanceof BigDecimal decimal) {
      return Decimal.apply(
          decimal,
          column.getTypeAttributes().getPrecision(),
          column.getTypeAttributes().getScale());
    }
    return value instanceof String text ? UTF8String.fromString(text) : value;
  }

  /**
   * An integer of Spark's type.
   *
   * @throws ArithmeticException if the number does not fit
   */
  public static Object integer(BigDecimal number, DataType type) {
    return converted(number.longValueExact(), type);
  }

  /** An integer or a decimal, as a decimal. */
  public static BigDecimal exact(Object number) {
    return number instanceof BigDecimal decimal
        ? decimal
        : BigDecimal.valueOf(((Number) number).longValue());
  }

  private static Object converted(Number number, DataType type) {
    if (type.equals(DataTypes.DoubleType)) {
      return number.doubleValue();
    } else if (type.equals(DataTypes.FloatType)) {
      return number.floatValue();
    }
    long value = number.longValue();
    if (type.equals(DataTypes.LongType)) {
      return value;
    } else if (type.equals(DataTypes.IntegerType)) {
      return Math.toIntExact(value);
    }
    boolean isShort = type.equals(DataTypes.ShortType);
    if (isShort ? value != (short) value : value != (byte) value) {
      throw new ArithmeticException(value + " does not fit into " + type.sql());
    }
    return isShort ? (Object) (short) value : (Object) (byte) value;
  }
}
