package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.spark.type.SparkTypes;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/**
 * Copies Spark arrays into cells of an array column, by way of primitive arrays. Elements are
 * converted and checked like cells of a scalar column.
 */
final class ArrayCopier {
  private final DataType from;
  private final ColumnSchema to;
  private final CellConversion conversion;
  private final int precision; // of a decimal of Spark
  private final int scale;

  /**
   * @throws IllegalArgumentException if the elements cannot be converted
   */
  ArrayCopier(ArrayType from, ColumnSchema column) {
    this.from = from.elementType();
    this.to = SparkTypes.element(column);
    this.conversion =
        CellConversion.of(this.from, to)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        from.sql() + " has no conversion to the elements of " + column));
    this.precision = this.from instanceof DecimalType decimal ? decimal.precision() : 0;
    this.scale = this.from instanceof DecimalType decimal ? decimal.scale() : 0;
  }

  /**
   * Sets a cell.
   *
   * @throws IllegalArgumentException if an element is invalid for the column
   */
  void copy(ArrayData array, PartialRow row, int target) {
    boolean[] present = present(array);
    switch (to.getType()) {
      case BOOL -> row.addArrayBool(target, booleans(array, present), present);
      case INT8 -> row.addArrayInt8(target, bytes(array, present), present);
      case INT16 -> row.addArrayInt16(target, shorts(array, present), present);
      case INT32, DATE -> row.addArrayInt32(target, ints(array, present), present);
      case INT64, UNIXTIME_MICROS -> row.addArrayInt64(target, longs(array, present), present);
      case FLOAT -> row.addArrayFloat(target, floats(array, present), present);
      case DOUBLE -> row.addArrayDouble(target, doubles(array, present), present);
      case DECIMAL -> {
        if (to.getTypeSize() == Integer.BYTES) {
          row.addArrayInt32(target, ints(array, present), present);
        } else {
          row.addArrayInt64(target, longs(array, present), present);
        }
      }
      case STRING, VARCHAR, BINARY -> row.addArrayBinary(target, texts(array, present), present);
      case NESTED -> throw new IllegalArgumentException("Elements are scalars: " + to);
    }
  }

  /** Which elements are not NULL. */
  private static boolean[] present(ArrayData array) {
    boolean[] present = new boolean[array.numElements()];
    for (int i = 0; i < present.length; i++) {
      present[i] = !array.isNullAt(i);
    }
    return present;
  }

  private static boolean[] booleans(ArrayData array, boolean[] present) {
    boolean[] values = new boolean[present.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = present[i] && array.getBoolean(i);
    }
    return values;
  }

  private byte[] bytes(ArrayData array, boolean[] present) {
    byte[] values = new byte[present.length];
    for (int i = 0; i < values.length; i++) {
      if (present[i]) {
        values[i] = conversion == CellConversion.BYTE ? array.getByte(i) : (byte) integer(array, i);
      }
    }
    return values;
  }

  private short[] shorts(ArrayData array, boolean[] present) {
    short[] values = new short[present.length];
    for (int i = 0; i < values.length; i++) {
      if (present[i]) {
        values[i] =
            conversion == CellConversion.SHORT ? array.getShort(i) : (short) integer(array, i);
      }
    }
    return values;
  }

  private int[] ints(ArrayData array, boolean[] present) {
    int[] values = new int[present.length];
    for (int i = 0; i < values.length; i++) {
      if (present[i]) {
        values[i] =
            switch (conversion) {
              case INT -> array.getInt(i);
              case DATE -> CheckedValues.date(array.getInt(i), to);
              case DECIMAL -> (int) unscaled(array, i);
              default -> (int) integer(array, i);
            };
      }
    }
    return values;
  }

  private long[] longs(ArrayData array, boolean[] present) {
    long[] values = new long[present.length];
    for (int i = 0; i < values.length; i++) {
      if (present[i]) {
        values[i] =
            switch (conversion) {
              case LONG, TIMESTAMP -> array.getLong(i);
              case DECIMAL -> unscaled(array, i);
              default -> integer(array, i);
            };
      }
    }
    return values;
  }

  private long integer(ArrayData array, int index) {
    return CheckedValues.integer(array, index, from, to);
  }

  private long unscaled(ArrayData array, int index) {
    Decimal value = array.getDecimal(index, precision, scale);
    return CheckedValues.decimal(value, to).toUnscaledLong();
  }

  private static float[] floats(ArrayData array, boolean[] present) {
    float[] values = new float[present.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = present[i] ? array.getFloat(i) : 0;
    }
    return values;
  }

  private double[] doubles(ArrayData array, boolean[] present) {
    double[] values = new double[present.length];
    for (int i = 0; i < values.length; i++) {
      if (present[i]) {
        values[i] = conversion == CellConversion.DOUBLE ? array.getDouble(i) : array.getFloat(i);
      }
    }
    return values;
  }

  private byte[][] texts(ArrayData array, boolean[] present) {
    byte[][] values = new byte[present.length][];
    for (int i = 0; i < values.length; i++) {
      if (present[i]) {
        values[i] =
            conversion == CellConversion.BINARY
                ? array.getBinary(i)
                : array.getUTF8String(i).getBytes();
      }
    }
    return values;
  }
}
