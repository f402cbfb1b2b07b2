package dev.kudu4j;

import dev.kudu4j.common.array.ArrayCellReader;
import dev.kudu4j.common.array.ArrayCellWriter;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.util.DateUtil;
import dev.kudu4j.util.DecimalUtil;
import dev.kudu4j.util.TimestampUtil;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.Arrays;

/**
 * Converts Java arrays to and from cells of array columns. Not part of the public API.
 *
 * <p>A column takes an array of the Java class of its elements, primitive or not. Dates are also
 * taken as days, timestamps as microseconds and decimals as unscaled values, in an array of the
 * primitive type that the cell contains; text is also taken as UTF-8, in an array of byte arrays.
 */
public final class ArrayForm {
  private ArrayForm() {}

  /**
   * The cell of an array.
   *
   * @param values an array; a null element is NULL
   * @param validity which elements are not NULL. Null means that all are whose value is not null;
   *     an empty array means that all are, and no value may be null
   * @throws IllegalArgumentException if the values are not of the type of the column's elements,
   *     the lengths differ, or a date or decimal is out of range
   */
  public static byte[] of(ColumnSchema column, Object values, boolean[] validity) {
    try {
      return values instanceof Object[] objects
          ? ofObjects(column, objects, validity(objects, validity))
          : ofPrimitives(column, checked(column, values, validity), validity);
    } catch (ClassCastException | ArrayStoreException e) {
      throw mismatch(column, values, e);
    }
  }

  /** Checks days and unscaled decimals, of which primitive types allow more than columns. */
  private static Object checked(ColumnSchema column, Object values, boolean[] validity) {
    DataType type = column.toCommon().scalarType();
    boolean decimal = type == DataType.DECIMAL32 || type == DataType.DECIMAL64;
    if (!decimal && type != DataType.DATE) {
      return values;
    }
    boolean allValid = validity == null || validity.length == 0;
    long bound = decimal ? BigInteger.TEN.pow(column.toCommon().precision()).longValueExact() : 0;
    for (int i = 0; i < Array.getLength(values); i++) {
      if (!allValid && i < validity.length && !validity[i]) {
        continue;
      }
      long value = Array.getLong(values, i);
      if (!decimal) {
        DateUtil.checkDateWithinRange(value);
      } else if (value <= -bound || value >= bound) {
        throw new IllegalArgumentException(
            "Element %d of column %s is %d, which has more digits than %s"
                .formatted(i, column.getName(), value, column.toCommon().typeText()));
      }
    }
    return values;
  }

  private static byte[] ofPrimitives(ColumnSchema column, Object values, boolean[] validity) {
    DataType type = column.toCommon().scalarType();
    return switch (type) {
      case BOOL -> ArrayCellWriter.write((boolean[]) values, validity);
      case INT8 -> ArrayCellWriter.write(type, (byte[]) values, validity);
      case INT16 -> ArrayCellWriter.write(type, (short[]) values, validity);
      case INT32, DATE, DECIMAL32 -> ArrayCellWriter.write(type, (int[]) values, validity);
      case INT64, UNIXTIME_MICROS, DECIMAL64 ->
          ArrayCellWriter.write(type, (long[]) values, validity);
      case FLOAT -> ArrayCellWriter.write((float[]) values, validity);
      case DOUBLE -> ArrayCellWriter.write((double[]) values, validity);
      default -> throw mismatch(column, values, null);
    };
  }

  private static byte[] ofObjects(ColumnSchema column, Object[] values, boolean[] valid) {
    DataType type = column.toCommon().scalarType();
    if (type.isVariableLength()) {
      byte[][] texts = new byte[values.length][];
      for (int i = 0; i < texts.length; i++) {
        texts[i] = valid[i] ? text(column, type, values[i]) : null;
      }
      return ArrayCellWriter.write(type, texts, valid);
    }
    Object primitives = Array.newInstance(primitiveOf(column, type), values.length);
    for (int i = 0; i < values.length; i++) {
      if (valid[i]) {
        put(column, type, values[i], primitives, i);
      }
    }
    return ofPrimitives(column, primitives, valid);
  }

  private static byte[] text(ColumnSchema column, DataType type, Object value) {
    if (type == DataType.BINARY || value instanceof byte[]) {
      byte[] bytes = (byte[]) value;
      if (type == DataType.VARCHAR) {
        CellForm.checkLength(column, bytes);
      }
      return bytes;
    }
    String text = (String) value;
    int length = column.toCommon().length();
    return (type == DataType.VARCHAR ? CellForm.cut(text, length) : text)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** The primitive type that the cells contain. */
  private static Class<?> primitiveOf(ColumnSchema column, DataType type) {
    return switch (type) {
      case BOOL -> boolean.class;
      case INT8 -> byte.class;
      case INT16 -> short.class;
      case INT32, DATE, DECIMAL32 -> int.class;
      case INT64, UNIXTIME_MICROS, DECIMAL64 -> long.class;
      case FLOAT -> float.class;
      case DOUBLE -> double.class;
      default ->
          throw new IllegalArgumentException(
              "Column " + column.getName() + " has arrays of " + type + ", which is not supported");
    };
  }

  private static void put(ColumnSchema column, DataType type, Object value, Object to, int at) {
    switch (type) {
      case BOOL -> ((boolean[]) to)[at] = (Boolean) value;
      case INT8 -> ((byte[]) to)[at] = (Byte) value;
      case INT16 -> ((short[]) to)[at] = (Short) value;
      case INT32 -> ((int[]) to)[at] = (Integer) value;
      case DATE -> ((int[]) to)[at] = DateUtil.sqlDateToEpochDays((Date) value);
      case DECIMAL32 -> ((int[]) to)[at] = (int) unscaled(column, (BigDecimal) value);
      case INT64 -> ((long[]) to)[at] = (Long) value;
      case UNIXTIME_MICROS ->
          ((long[]) to)[at] =
              value instanceof Timestamp time
                  ? TimestampUtil.timestampToMicros(time)
                  : (Long) value;
      case DECIMAL64 -> ((long[]) to)[at] = unscaled(column, (BigDecimal) value);
      case FLOAT -> ((float[]) to)[at] = (Float) value;
      default -> ((double[]) to)[at] = (Double) value;
    }
  }

  private static long unscaled(ColumnSchema column, BigDecimal value) {
    dev.kudu4j.common.schema.ColumnSchema common = column.toCommon();
    return DecimalUtil.coerce(value, common.precision(), common.scale())
        .unscaledValue()
        .longValueExact();
  }

  private static boolean[] validity(Object[] values, boolean[] given) {
    boolean[] valid = new boolean[values.length];
    boolean all = given == null || given.length == 0;
    if (!all && given.length != values.length) {
      throw new IllegalArgumentException(
          "validity length mismatch: " + given.length + " vs " + values.length);
    }
    for (int i = 0; i < valid.length; i++) {
      if (values[i] == null && given != null && given.length == 0) {
        throw new IllegalArgumentException(
            "Empty validity vector provided, but values[" + i + "] is null");
      }
      valid[i] = values[i] != null && (all || given[i]);
    }
    return valid;
  }

  /**
   * The array of a cell, as {@code RowResult.getArrayData} returns it: of the class of the
   * elements, with null for NULL.
   *
   * @throws IllegalArgumentException if the bytes are not a cell of the column
   */
  public static Object[] value(ColumnSchema column, byte[] cell, int offset, int length) {
    return values(column, open(column, cell, offset, length));
  }

  /** The array of the cell that the reader has opened, as {@link #value} returns it. */
  public static Object[] values(ColumnSchema column, ArrayCellReader reader) {
    ColumnSchema element = ColumnSchema.of(column.toCommon().element());
    Object[] values = (Object[]) Array.newInstance(classOf(element.getType()), reader.count());
    for (int i = 0; i < values.length; i++) {
      if (!reader.isNull(i)) {
        values[i] =
            CellForm.value(
                element, reader.array(), reader.elementOffset(i), reader.elementLength(i));
      }
    }
    return values;
  }

  /**
   * Opens a cell of an array column.
   *
   * @throws IllegalArgumentException if the bytes are not a cell of the column
   */
  public static ArrayCellReader open(ColumnSchema column, byte[] cell, int offset, int length) {
    try {
      ArrayCellReader reader = new ArrayCellReader(column.toCommon().scalarType());
      reader.open(cell, offset, length);
      return reader;
    } catch (KuduException e) {
      throw new IllegalArgumentException("Column " + column.getName() + ": " + e.getMessage(), e);
    }
  }

  private static Class<?> classOf(Type element) {
    return switch (element) {
      case BOOL -> Boolean.class;
      case INT8 -> Byte.class;
      case INT16 -> Short.class;
      case INT32 -> Integer.class;
      case INT64 -> Long.class;
      case FLOAT -> Float.class;
      case DOUBLE -> Double.class;
      case STRING, VARCHAR -> String.class;
      case BINARY -> byte[].class;
      case DATE -> Date.class;
      case UNIXTIME_MICROS -> Timestamp.class;
      case DECIMAL -> BigDecimal.class;
      case NESTED -> throw new IllegalArgumentException("Arrays of arrays are not supported");
    };
  }

  private static IllegalArgumentException mismatch(
      ColumnSchema column, Object values, RuntimeException cause) {
    return new IllegalArgumentException(
        "Column "
            + column.getName()
            + " takes arrays of "
            + column.toCommon().scalarType()
            + ", not "
            + values.getClass().getSimpleName()
            + (values instanceof Object[] objects ? text(objects) : ""),
        cause);
  }

  /** The classes of the elements of an Object[], which its own class does not tell. */
  private static String text(Object[] values) {
    return values.getClass() == Object[].class
        ? " of "
            + Arrays.stream(values)
                .map(value -> value == null ? "null" : value.getClass().getSimpleName())
                .distinct()
                .toList()
        : "";
  }
}
