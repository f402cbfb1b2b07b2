package dev.kudu4j.spark.type;

import dev.kudu4j.CellForm;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.AlterTableOptions;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import org.apache.spark.sql.connector.catalog.ColumnDefaultValue;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

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
      Literal<?> fitting = widened(column, literal);
      return CellValue.of(column, fitting)
          .orElseThrow(() -> refused(column, sql, "it does not match the column's type"));
    }
    throw refused(column, sql, "Kudu supports only constants");
  }

  private static IllegalArgumentException refused(ColumnSchema column, String sql, String why) {
    return new IllegalArgumentException(
        "Column "
            + column.getName()
            + ", which is "
            + SparkTypes.sparkType(column).sql()
            + ", cannot have the default "
            + sql
            + ": "
            + why);
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
    return switch (column.getType()) {
      case BOOL, INT32 -> defaultValue(value.toString(), value, type);
      case INT8 -> defaultValue(value + "Y", value, type);
      case INT16 -> defaultValue(value + "S", value, type);
      case INT64 -> defaultValue(value + "L", value, type);
      case FLOAT -> defaultValue("CAST('" + value + "' AS FLOAT)", value, type);
      case DOUBLE -> defaultValue("CAST('" + value + "' AS DOUBLE)", value, type);
      case DECIMAL ->
          defaultValue(
              ((BigDecimal) value).toPlainString() + "BD", Decimal.apply((BigDecimal) value), type);
      case DATE -> {
        LocalDate date = ((Date) value).toLocalDate();
        yield defaultValue("DATE '" + date + "'", (int) date.toEpochDay(), type);
      }
      case UNIXTIME_MICROS -> {
        Instant instant = ((Timestamp) value).toInstant();
        yield defaultValue(
            "TIMESTAMP '" + LocalDateTime.ofInstant(instant, ZoneOffset.UTC) + "Z'",
            ChronoUnit.MICROS.between(Instant.EPOCH, instant),
            type);
      }
      case STRING, VARCHAR ->
          defaultValue(
              "'" + ((String) value).replace("\\", "\\\\").replace("'", "\\'") + "'",
              UTF8String.fromString((String) value),
              type);
      case BINARY ->
          defaultValue("X'" + HexFormat.of().formatHex((byte[]) value) + "'", value, type);
    };
  }

  private static <T> ColumnDefaultValue defaultValue(String sql, T value, DataType type) {
    return new ColumnDefaultValue(sql, new LiteralValue<>(value, type));
  }
}
