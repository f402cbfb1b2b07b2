package dev.kudu4j.common.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Formats cells for messages and web pages: {@code 5}, {@code "text"}, {@code 2020-02-29}. Bytes of
 * arrays are shown as text: keys, defaults and predicates have no arrays.
 */
public final class CellText {
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private CellText() {}

  /** The text of a cell in cell form; {@code NULL} for null. */
  public static String of(ColumnSchema column, byte @Nullable [] cell) {
    if (cell == null) {
      return "NULL";
    }
    DataType type = column.type();
    return switch (type) {
      case STRING, VARCHAR, BINARY, NESTED -> quoted(cell);
      case BOOL, IS_DELETED -> String.valueOf(cell[0] != 0);
      case FLOAT -> Float.toString(Float.intBitsToFloat(LittleEndian.getInt(cell, 0)));
      case DOUBLE -> Double.toString(Double.longBitsToDouble(LittleEndian.getLong(cell, 0)));
      case DATE -> date(LittleEndian.getInt(cell, 0));
      case UNIXTIME_MICROS ->
          timestamp(LittleEndian.getLong(cell, 0), column.isWithoutTimeZone() ? "" : "Z");
      case DECIMAL32, DECIMAL64, DECIMAL128 ->
          new BigDecimal(integer(cell, true), column.scale()).toPlainString();
      default -> integer(cell, !type.isUnsigned()).toString();
    };
  }

  private static BigInteger integer(byte[] cell, boolean signed) {
    byte[] bigEndian = new byte[cell.length];
    for (int i = 0; i < cell.length; i++) {
      bigEndian[i] = cell[cell.length - 1 - i];
    }
    return signed ? new BigInteger(bigEndian) : new BigInteger(1, bigEndian);
  }

  private static String date(int days) {
    return LocalDate.ofEpochDay(days).toString();
  }

  private static String timestamp(long micros, String zone) {
    try {
      return TIMESTAMP.format(
              Instant.ofEpochSecond(
                  Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L))
          + zone;
    } catch (DateTimeException e) {
      return micros + " us";
    }
  }

  /** Text in quotes. Everything except printable ASCII and well-formed UTF-8 is escaped. */
  private static String quoted(byte[] cell) {
    StringBuilder text = new StringBuilder("\"");
    String decoded = new String(cell, StandardCharsets.UTF_8);
    if (decoded.indexOf('\uFFFD') >= 0) {
      for (byte b : cell) {
        if (b < 0) {
          text.append(String.format(Locale.ROOT, "\\x%02x", b & 0xff));
        } else {
          appendEscaped(b, text);
        }
      }
    } else {
      decoded.codePoints().forEach(point -> appendEscaped(point, text));
    }
    return text.append('"').toString();
  }

  private static void appendEscaped(int point, StringBuilder text) {
    if (point == '"' || point == '\\') {
      text.append('\\').append((char) point);
    } else if (point < 0x20 || (point >= 0x7f && point < 0xa0)) {
      text.append(String.format(Locale.ROOT, "\\x%02x", point));
    } else {
      text.appendCodePoint(point);
    }
  }
}
