package dev.kudu4j.spark.type;

import dev.kudu4j.CellForm;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.AlterTableOptions;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import org.apache.spark.sql.connector.catalog.ColumnDefaultValue;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;

/** Defaults of columns. Kudu supports values, not expressions. */
public final class ColumnDefaults {
  private ColumnDefaults() {}

  /**
   * The default as the client expects it.
   *
   * @param sql the user's expression
   * @param value Spark's result of the expression
   * @throws IllegalArgumentException if it is not a constant of the column's type
   */
  public static Object value(ColumnSchema column, String sql, Expression value) {
    if (value instanceof Literal<?> literal) {
      if (literal.value() == null && column.isNullable()) {
        return null;
      }
      if (column.isArray()) {
        throw refusal(
            column, sql, "array columns have no default; rows without a value have NULL or fail");
      }
      Literal<?> fitting = widened(column, literal);
      return CellValue.of(column, fitting)
          .orElseThrow(() -> refusal(column, sql, "it does not match the column's type"));
    }
    throw refusal(column, sql, "Kudu supports only constants");
  }

  private static IllegalArgumentException refusal(ColumnSchema column, String sql, String reason) {
    return new IllegalArgumentException(
        "Column "
            + column.getName()
            + ", which is "
            + SparkTypes.sparkType(column).sql()
            + ", cannot have the default "
            + sql
            + ": "
            + reason);
  }

  /**
   * Converts a numeric literal to the type of its column. Returns the literal itself if an integer
   * column cannot represent it.
   */
  private static Literal<?> widened(ColumnSchema column, Literal<?> literal) {
    if (!(literal.value() instanceof Number) && !(literal.value() instanceof Decimal)) {
      return literal;
    }
    BigDecimal number =
        literal.value() instanceof Decimal decimal
            ? decimal.toJavaBigDecimal()
            : new BigDecimal(literal.value().toString());
    DataType type = SparkTypes.valueType(column);
    try {
      return switch (column.getType()) {
        case INT8 -> new LiteralValue<>(number.byteValueExact(), type);
        case INT16 -> new LiteralValue<>(number.shortValueExact(), type);
        case INT32 -> new LiteralValue<>(number.intValueExact(), type);
        case INT64 -> new LiteralValue<>(number.longValueExact(), type);
        case FLOAT -> new LiteralValue<>(number.floatValue(), type);
        case DOUBLE -> new LiteralValue<>(number.doubleValue(), type);
        case DECIMAL -> new LiteralValue<>(Decimal.apply(number), type);
        default -> literal;
      };
    } catch (ArithmeticException e) {
      return literal; // rejected later because of its type
    }
  }

  /**
   * A default in the form of {@link AlterTableOptions#changeDefault}, which does not know the
   * column's type.
   */
  public static Object cell(ColumnSchema column, Object value) {
    return CellForm.of(column, value);
  }

  /** A column's default in Spark's form; null for none. */
  public static ColumnDefaultValue of(ColumnSchema column) {
    Object value = column.getDefaultValue();
    if (value == null) {
      return null;
    }
    DataType type = SparkTypes.valueType(column);
    return new ColumnDefaultValue(
        sql(column, value), new LiteralValue<>(InternalRows.value(column, value), type));
  }

  private static String sql(ColumnSchema column, Object value) {
    return switch (column.getType()) {
      case BOOL, INT32 -> value.toString();
      case INT8 -> value + "Y";
      case INT16 -> value + "S";
      case INT64 -> value + "L";
      case FLOAT -> "CAST('" + value + "' AS FLOAT)";
      case DOUBLE -> "CAST('" + value + "' AS DOUBLE)";
      case DECIMAL -> ((BigDecimal) value).toPlainString() + "BD";
      case DATE -> "DATE '" + ((Date) value).toLocalDate() + "'";
      case UNIXTIME_MICROS -> {
        var time = LocalDateTime.ofInstant(((Timestamp) value).toInstant(), ZoneOffset.UTC);
        yield column.isWithoutTimeZone()
            ? "TIMESTAMP_NTZ '" + time + "'"
            : "TIMESTAMP '" + time + "Z'";
      }
      case STRING, VARCHAR ->
          "'" + ((String) value).replace("\\", "\\\\").replace("'", "\\'") + "'";
      case BINARY -> "X'" + HexFormat.of().formatHex((byte[]) value) + "'";
      case NESTED ->
          throw new IllegalArgumentException("array column cannot have a default value: " + column);
    };
  }
}
