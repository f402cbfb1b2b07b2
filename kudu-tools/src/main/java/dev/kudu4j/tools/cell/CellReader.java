package dev.kudu4j.tools.cell;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Type;
import dev.kudu4j.common.status.KuduException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** Parses the text of a column's value. */
public final class CellReader {
  private static final int MAX_SHOWN = 40;

  private CellReader() {}

  /**
   * Parses a value into the type that the client expects for the column; a timestamp becomes a
   * {@link Long}, an array an array of objects.
   *
   * @throws KuduException INVALID_ARGUMENT with the column, the text and the valid format
   */
  public static Object read(ColumnSchema column, String text) {
    return switch (column.getType()) {
      case INT8 -> (byte) integer(column, text, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case INT16 -> (short) integer(column, text, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT32 -> (int) integer(column, text, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case INT64 -> integer(column, text, Long.MIN_VALUE, Long.MAX_VALUE);
      case BOOL -> truth(column, text);
      case FLOAT -> (float) real(column, text);
      case DOUBLE -> real(column, text);
      case DECIMAL -> decimal(column, text);
      case DATE -> date(column, text);
      case UNIXTIME_MICROS -> {
        Optional<Long> micros = Instants.micros(text.strip());
        yield micros.orElseThrow(() -> bad(column, text, "it must be " + Instants.FORM));
      }
      case STRING -> text;
      case VARCHAR -> varchar(column, text);
      case BINARY -> binary(column, text);
      case NESTED ->
          ArrayReader.read(column, text).orElseThrow(() -> bad(column, text, ArrayReader.FORM));
      default -> throw bad(column, text, "this tool does not know the type");
    };
  }

  private static long integer(ColumnSchema column, String text, long min, long max) {
    try {
      long value = Long.parseLong(text.strip());
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      if (!text.strip().matches("[+-]?\\d+")) {
        throw bad(column, text, "it must be an integer");
      }
    }
    throw bad(column, text, "it must be an integer from " + min + " to " + max);
  }

  private static boolean truth(ColumnSchema column, String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true", "t", "yes", "y", "1" -> true;
      case "false", "f", "no", "n", "0" -> false;
      default -> throw bad(column, text, "it must be true or false");
    };
  }

  private static double real(ColumnSchema column, String text) {
    String stripped = text.strip();
    return switch (stripped.toLowerCase(Locale.ROOT)) {
      case "nan" -> Double.NaN;
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> {
        if (!stripped.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?")) {
          throw bad(column, text, "it must be a number");
        }
        yield Double.parseDouble(stripped);
      }
    };
  }

  private static BigDecimal decimal(ColumnSchema column, String text) {
    int precision = column.getTypeAttributes().getPrecision();
    int scale = column.getTypeAttributes().getScale();
    try {
      BigDecimal value = new BigDecimal(text.strip()).setScale(scale);
      if (value.precision() <= precision) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw bad(column, text, "it must be a number");
    } catch (ArithmeticException e) {
      throw bad(column, text, "it must have at most " + scale + " digits after the decimal point");
    }
    throw bad(column, text, "it must have at most " + precision + " digits");
  }

  private static java.sql.Date date(ColumnSchema column, String text) {
    try {
      return java.sql.Date.valueOf(LocalDate.parse(text.strip()));
    } catch (DateTimeException e) {
      throw bad(column, text, "it must be a date such as 2013-01-01");
    }
  }

  private static String varchar(ColumnSchema column, String text) {
    int length = column.getTypeAttributes().getLength();
    int characters = text.codePointCount(0, text.length());
    if (characters > length) {
      throw bad(
          column, text, "it must have at most " + length + " characters but has " + characters);
    }
    return text;
  }

  /** A string of {@code 0x} and hex digits is binary; any other text is its UTF-8 bytes. */
  private static byte[] binary(ColumnSchema column, String text) {
    if (!text.startsWith("0x")) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return HexFormat.of().parseHex(text, 2, text.length());
    } catch (IllegalArgumentException e) {
      throw bad(column, text, "after 0x it must have pairs of hex digits");
    }
  }

  private static KuduException bad(ColumnSchema column, String text, String right) {
    String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
    return KuduException.invalidArgument(
        "column %s is %s: '%s' is invalid; %s",
        column.getName(), TypeText.of(column), shown, right);
  }

  /** Whether the values of the type are written without quotes. */
  public static boolean isNumber(Type type) {
    return switch (type) {
      case INT8, INT16, INT32, INT64, FLOAT, DOUBLE, DECIMAL -> true;
      default -> false;
    };
  }
}
