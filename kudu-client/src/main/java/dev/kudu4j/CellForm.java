package dev.kudu4j;

import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.util.DateUtil;
import dev.kudu4j.util.DecimalUtil;
import dev.kudu4j.util.TimestampUtil;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.Arrays;

/**
 * Converts values to and from cell form: little-endian fixed-width bytes, or just the bytes of text
 * and binary. Used for column defaults and predicate values; {@code PartialRow} writes most cells
 * into its own array directly. Not part of the public API.
 */
public final class CellForm {
  private CellForm() {}

  /**
   * The cell of a value.
   *
   * @param value as {@code PartialRow.addObject} takes it; an integer may have a wider or narrower
   *     Java class, a date may be the number of days since 1970-01-01, text may be its UTF-8 bytes
   * @throws IllegalArgumentException if {@code value} is not a value of the column's type
   */
  public static byte[] of(ColumnSchema column, Object value) {
    return column.isArray()
        ? ArrayForm.of(column, value, null)
        : of(column.getName(), column.getType(), column.getTypeAttributes(), value);
  }

  static byte[] of(String name, Type type, ColumnTypeAttributes attributes, Object value) {
    return switch (type) {
      case BOOL -> new byte[] {(byte) (cast(name, type, Boolean.class, value) ? 1 : 0)};
      case INT8, INT16, INT32, INT64 -> ofInteger(name, type, value);
      case FLOAT ->
          ofLong(4, Float.floatToRawIntBits(cast(name, type, Number.class, value).floatValue()));
      case DOUBLE ->
          ofLong(
              8, Double.doubleToRawLongBits(cast(name, type, Number.class, value).doubleValue()));
      case UNIXTIME_MICROS ->
          value instanceof Timestamp timestamp
              ? ofLong(8, TimestampUtil.timestampToMicros(timestamp))
              : ofInteger(name, type, value);
      case DATE ->
          value instanceof Date date
              ? ofLong(4, DateUtil.sqlDateToEpochDays(date))
              : ofInteger(name, type, value);
      case DECIMAL ->
          ofDecimal(
              DecimalUtil.coerce(
                  cast(name, type, BigDecimal.class, value),
                  attributes.getPrecision(),
                  attributes.getScale()),
              type.getSize(attributes));
      case STRING, VARCHAR ->
          value instanceof byte[] bytes
              ? bytes
              : cast(name, type, String.class, value).getBytes(StandardCharsets.UTF_8);
      case BINARY ->
          value instanceof ByteBuffer buffer
              ? bytesOf(buffer)
              : cast(name, type, byte[].class, value);
      case NESTED -> throw mismatch(name, type); // needs the type of the elements
    };
  }

  private static byte[] ofInteger(String name, Type type, Object value) {
    if (!(value instanceof Byte
        || value instanceof Short
        || value instanceof Integer
        || value instanceof Long)) {
      throw mismatch(name, type);
    }
    long number = ((Number) value).longValue();
    int width = type.getSize();
    int spare = 64 - 8 * width;
    if (number << spare >> spare != number) {
      throw new IllegalArgumentException(
          number + " is out of the range of column " + name + ", which is " + type.getName());
    }
    return ofLong(width, number);
  }

  private static byte[] ofLong(int width, long number) {
    byte[] cell = new byte[8];
    LittleEndian.putLong(cell, 0, number);
    return Arrays.copyOf(cell, width);
  }

  /** The unscaled number, little-endian, in 4, 8 or 16 bytes. */
  private static byte[] ofDecimal(BigDecimal value, int width) {
    byte[] cell = new byte[width];
    putUnscaled(value.unscaledValue(), cell, 0, width);
    return cell;
  }

  /**
   * Writes {@code unscaled}, which must fit into {@code width} bytes, little-endian, at {@code
   * [offset, offset + width)}.
   */
  public static void putUnscaled(BigInteger unscaled, byte[] cell, int offset, int width) {
    byte[] bigEndian = unscaled.toByteArray();
    byte sign = (byte) (unscaled.signum() < 0 ? -1 : 0);
    for (int i = 0; i < width; i++) {
      int from = bigEndian.length - 1 - i;
      cell[offset + i] = from >= 0 ? bigEndian[from] : sign;
    }
  }

  /** The number whose little-endian bytes are at {@code [offset, offset + width)}. */
  public static BigDecimal decimal(byte[] cell, int offset, int width, int scale) {
    if (width == 4) {
      return BigDecimal.valueOf(LittleEndian.getInt(cell, offset), scale);
    }
    if (width == 8) {
      return BigDecimal.valueOf(LittleEndian.getLong(cell, offset), scale);
    }
    byte[] bigEndian = new byte[width];
    for (int i = 0; i < width; i++) {
      bigEndian[i] = cell[offset + width - 1 - i];
    }
    return new BigDecimal(new BigInteger(bigEndian), scale);
  }

  /** The value of a cell, as {@code RowResult.getObject} returns it. */
  public static Object value(ColumnSchema column, byte[] cell, int offset, int length) {
    return switch (column.getType()) {
      case BOOL -> cell[offset] != 0;
      case INT8 -> cell[offset];
      case INT16 -> LittleEndian.getShort(cell, offset);
      case INT32 -> LittleEndian.getInt(cell, offset);
      case INT64 -> LittleEndian.getLong(cell, offset);
      case FLOAT -> Float.intBitsToFloat(LittleEndian.getInt(cell, offset));
      case DOUBLE -> Double.longBitsToDouble(LittleEndian.getLong(cell, offset));
      case UNIXTIME_MICROS -> TimestampUtil.microsToTimestamp(LittleEndian.getLong(cell, offset));
      case DATE -> DateUtil.epochDaysToSqlDate(LittleEndian.getInt(cell, offset));
      case DECIMAL ->
          decimal(cell, offset, column.getTypeSize(), column.getTypeAttributes().getScale());
      case STRING, VARCHAR -> new String(cell, offset, length, StandardCharsets.UTF_8);
      case BINARY -> Arrays.copyOfRange(cell, offset, offset + length);
      case NESTED -> ArrayForm.value(column, cell, offset, length);
    };
  }

  /** Truncates text to some characters; a character outside the BMP counts as one. */
  public static String cut(String text, int characters) {
    if (text.length() <= characters || text.codePointCount(0, text.length()) <= characters) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, characters));
  }

  /**
   * Checks that a string fits a VARCHAR column or an element of its arrays.
   *
   * @throws IllegalArgumentException if it has more characters
   */
  public static void checkLength(ColumnSchema column, byte[] utf8) {
    int length = column.toCommon().length();
    if (utf8.length > length && characters(utf8) > length) {
      throw new IllegalArgumentException(
          "A text of "
              + characters(utf8)
              + " characters does not fit column "
              + column.getName()
              + ", which takes "
              + length);
    }
  }

  /** Counts all bytes except UTF-8 continuation bytes. */
  private static int characters(byte[] utf8) {
    int characters = 0;
    for (byte b : utf8) {
      characters += (b & 0xC0) == 0x80 ? 0 : 1;
    }
    return characters;
  }

  private static byte[] bytesOf(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static <T> T cast(String name, Type type, Class<T> wanted, Object value) {
    if (!wanted.isInstance(value)) {
      throw mismatch(name, type);
    }
    return wanted.cast(value);
  }

  private static IllegalArgumentException mismatch(String name, Type type) {
    return new IllegalArgumentException(
        "Value type does not match column type " + type + " for column " + name);
  }
}
