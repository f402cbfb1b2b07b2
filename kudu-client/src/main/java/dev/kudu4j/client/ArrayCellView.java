package dev.kudu4j.client;

import dev.kudu4j.ArrayForm;
import dev.kudu4j.CellForm;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.common.array.ArrayCellReader;
import dev.kudu4j.common.array.ArrayText;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.util.DateUtil;
import dev.kudu4j.util.TimestampUtil;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The elements of an array cell, read in place and without boxing.
 *
 * <p>Accessors of an element throw {@link IndexOutOfBoundsException} if the array lacks it, and
 * {@link IllegalStateException} if it is NULL or of another type; check {@link #isValid} first. Not
 * thread-safe.
 */
public final class ArrayCellView {
  private final ColumnSchema column;
  private final ArrayCellReader reader;
  private final DataType type;

  /**
   * @throws IllegalArgumentException if the bytes are not a cell of the column
   */
  ArrayCellView(ColumnSchema column, byte[] cell, int offset, int length) {
    this.column = column;
    this.reader = ArrayForm.open(column, cell, offset, length);
    this.type = reader.elementType();
  }

  /** The number of elements. */
  public int length() {
    return reader.count();
  }

  /** Whether the element is not NULL. */
  public boolean isValid(int element) {
    checkExists(element);
    return !reader.isNull(element);
  }

  public boolean getBoolean(int element) {
    return reader.array()[at(element, type == DataType.BOOL)] != 0;
  }

  public byte getInt8(int element) {
    return reader.array()[at(element, type == DataType.INT8)];
  }

  public short getInt16(int element) {
    return LittleEndian.getShort(reader.array(), at(element, type == DataType.INT16));
  }

  /** An INT32, the days of a DATE, or the unscaled value of a DECIMAL of at most 9 digits. */
  public int getInt32(int element) {
    boolean fits = type == DataType.INT32 || type == DataType.DATE || type == DataType.DECIMAL32;
    return LittleEndian.getInt(reader.array(), at(element, fits));
  }

  /**
   * An INT64, the microseconds of a UNIXTIME_MICROS, or the unscaled value of a DECIMAL of 10 to 18
   * digits.
   */
  public long getInt64(int element) {
    boolean fits =
        type == DataType.INT64 || type == DataType.UNIXTIME_MICROS || type == DataType.DECIMAL64;
    return LittleEndian.getLong(reader.array(), at(element, fits));
  }

  public float getFloat(int element) {
    int at = at(element, type == DataType.FLOAT);
    return Float.intBitsToFloat(LittleEndian.getInt(reader.array(), at));
  }

  public double getDouble(int element) {
    int at = at(element, type == DataType.DOUBLE);
    return Double.longBitsToDouble(LittleEndian.getLong(reader.array(), at));
  }

  public BigDecimal getDecimal(int element) {
    int at = at(element, type.isDecimal());
    return CellForm.decimal(reader.array(), at, type.width(), column.toCommon().scale());
  }

  /** A STRING or VARCHAR. */
  public String getString(int element) {
    int at = at(element, type == DataType.STRING || type == DataType.VARCHAR);
    return new String(reader.array(), at, reader.elementLength(element), StandardCharsets.UTF_8);
  }

  /** A copy of the bytes of a BINARY, or of the UTF-8 of a STRING or VARCHAR. */
  public byte[] getBinary(int element) {
    int at = at(element, type.isVariableLength());
    return Arrays.copyOfRange(reader.array(), at, at + reader.elementLength(element));
  }

  /** The array that contains the elements, among other bytes. Callers must not change it. */
  public byte[] array() {
    return reader.array();
  }

  /** The position in {@link #array} of an element's bytes, which are little-endian or text. */
  public int offset(int element) {
    return at(element, true);
  }

  /** The number of an element's bytes. */
  public int length(int element) {
    at(element, true);
    return reader.elementLength(element);
  }

  /** The elements as an array of their Java class, with null for NULL. */
  Object[] toObjects() {
    return ArrayForm.values(column, reader);
  }

  /** Checks the access and returns the position of the element. */
  private int at(int element, boolean fits) {
    checkExists(element);
    if (!fits) {
      throw new IllegalStateException(
          "The elements of column " + column.getName() + " are of type " + type);
    }
    if (reader.isNull(element)) {
      throw new IllegalStateException(
          "Element " + element + " of column " + column.getName() + " is NULL");
    }
    return reader.elementOffset(element);
  }

  private void checkExists(int element) {
    if (element < 0 || element >= reader.count()) {
      throw new IndexOutOfBoundsException(
          "The array of column "
              + column.getName()
              + " has "
              + reader.count()
              + " elements, not element "
              + element);
    }
  }

  /** The elements as text: {@code [1, NULL, 3]}. */
  @Override
  public String toString() {
    ColumnSchema element = ColumnSchema.of(column.toCommon().element());
    return ArrayText.of(reader, bytes -> text(element, bytes));
  }

  private static String text(ColumnSchema element, byte[] bytes) {
    return switch (element.getType()) {
      case BINARY -> PrintableBytes.of(bytes);
      case DATE -> DateUtil.epochDaysToDateString(LittleEndian.getInt(bytes, 0));
      case UNIXTIME_MICROS -> TimestampUtil.timestampToString(LittleEndian.getLong(bytes, 0));
      default -> String.valueOf(CellForm.value(element, bytes, 0, bytes.length));
    };
  }
}
