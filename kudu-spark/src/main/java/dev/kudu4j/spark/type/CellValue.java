package dev.kudu4j.spark.type;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.util.DateUtil;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Converts a literal of Spark to a value of a column, in the form of Kudu's client: dates as days,
 * timestamps as microseconds, decimals with the column's scale.
 */
public final class CellValue {
  private CellValue() {}

  /** The value; empty for NULL, and for a value that the column's type cannot represent exactly. */
  public static Optional<Object> of(ColumnSchema column, Literal<?> literal) {
    Object value = literal.value();
    if (value == null || !isOfType(column, literal.dataType())) {
      return Optional.empty();
    }
    return switch (column.getType()) {
      case BOOL, INT8, INT16, INT32, INT64, FLOAT, DOUBLE, UNIXTIME_MICROS, BINARY ->
          Optional.of(value);
      case DATE -> date((Integer) value);
      case STRING, VARCHAR -> text((UTF8String) value);
      case DECIMAL -> decimal(column, ((Decimal) value).toJavaBigDecimal());
      case NESTED -> Optional.empty();
    };
  }

  private static boolean isOfType(ColumnSchema column, DataType type) {
    return switch (column.getType()) {
      case BOOL -> type.equals(DataTypes.BooleanType);
      case INT8 -> type.equals(DataTypes.ByteType);
      case INT16 -> type.equals(DataTypes.ShortType);
      case INT32 -> type.equals(DataTypes.IntegerType);
      case INT64 -> type.equals(DataTypes.LongType);
      case FLOAT -> type.equals(DataTypes.FloatType);
      case DOUBLE -> type.equals(DataTypes.DoubleType);
      case UNIXTIME_MICROS, DATE -> type.equals(SparkTypes.sparkType(column));
      case BINARY -> type.equals(DataTypes.BinaryType);
      case STRING, VARCHAR -> type.equals(DataTypes.StringType);
      case DECIMAL -> type instanceof org.apache.spark.sql.types.DecimalType;
      case NESTED -> false;
    };
  }

  private static Optional<Object> date(int days) {
    return days < DateUtil.MIN_DATE_VALUE || days > DateUtil.MAX_DATE_VALUE
        ? Optional.empty()
        : Optional.of(days);
  }

  private static Optional<Object> text(UTF8String text) {
    String string = text.toString();
    return UTF8String.fromString(string).equals(text) ? Optional.of(string) : Optional.empty();
  }

  private static Optional<Object> decimal(ColumnSchema column, BigDecimal value) {
    int scale = column.getTypeAttributes().getScale();
    BigDecimal bare = value.stripTrailingZeros();
    if (bare.scale() > scale) {
      return Optional.empty();
    }
    BigDecimal scaled = bare.setScale(scale, RoundingMode.UNNECESSARY);
    return scaled.precision() > column.getTypeAttributes().getPrecision()
        ? Optional.empty()
        : Optional.of(scaled);
  }
}
