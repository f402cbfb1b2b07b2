package dev.kudu4j.common.schema;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The order of the values of a type, over cells in cell form: comparison, minimum, maximum and
 * successor.
 *
 * <p>Integers, dates, timestamps and decimals compare as numbers, text, binary and arrays as
 * unsigned bytes. Floats compare as in IEEE 754, with -0.0 equal to 0.0. To make the order total,
 * NaN is equal to itself and greater than all other values.
 */
public final class CellOrder {
  private static final int MIN_DATE = -719162; // 0001-01-01
  private static final int MAX_DATE = 2932896; // 9999-12-31

  private CellOrder() {}

  /**
   * Compares the cell at {@code [leftOffset, leftOffset + leftLength)} of one array with a cell of
   * another array.
   */
  public static int compare(
      DataType type,
      byte[] left,
      int leftOffset,
      int leftLength,
      byte[] right,
      int rightOffset,
      int rightLength) {
    return switch (type) {
      case BOOL, UINT8, IS_DELETED ->
          Integer.compare(left[leftOffset] & 0xff, right[rightOffset] & 0xff);
      case INT8 -> Byte.compare(left[leftOffset], right[rightOffset]);
      case UINT16 ->
          Integer.compare(
              LittleEndian.getShort(left, leftOffset) & 0xffff,
              LittleEndian.getShort(right, rightOffset) & 0xffff);
      case INT16 ->
          Short.compare(
              LittleEndian.getShort(left, leftOffset), LittleEndian.getShort(right, rightOffset));
      case UINT32 ->
          Integer.compareUnsigned(
              LittleEndian.getInt(left, leftOffset), LittleEndian.getInt(right, rightOffset));
      case INT32, DATE, DECIMAL32 ->
          Integer.compare(
              LittleEndian.getInt(left, leftOffset), LittleEndian.getInt(right, rightOffset));
      case UINT64 ->
          Long.compareUnsigned(
              LittleEndian.getLong(left, leftOffset), LittleEndian.getLong(right, rightOffset));
      case INT64, UNIXTIME_MICROS, DECIMAL64 ->
          Long.compare(
              LittleEndian.getLong(left, leftOffset), LittleEndian.getLong(right, rightOffset));
      case INT128, DECIMAL128 -> compare128(left, leftOffset, right, rightOffset);
      case FLOAT -> compareDoubles(floatAt(left, leftOffset), floatAt(right, rightOffset));
      case DOUBLE -> compareDoubles(doubleAt(left, leftOffset), doubleAt(right, rightOffset));
      case STRING, BINARY, VARCHAR, NESTED ->
          Arrays.compareUnsigned(
              left,
              leftOffset,
              leftOffset + leftLength,
              right,
              rightOffset,
              rightOffset + rightLength);
    };
  }

  public static int compare(DataType type, byte[] left, byte[] right) {
    return compare(type, left, 0, left.length, right, 0, right.length);
  }

  /** Whether the cell is a floating-point NaN. No comparison predicate matches NaN. */
  public static boolean isNaN(DataType type, byte[] cell, int offset) {
    return switch (type) {
      case FLOAT -> Float.isNaN(floatAt(cell, offset));
      case DOUBLE -> Double.isNaN(doubleAt(cell, offset));
      default -> false;
    };
  }

  /** The smallest value; negative infinity for floats, empty for text. */
  public static byte[] minimum(DataType type) {
    byte[] cell = new byte[type.width()];
    switch (type) {
      case DATE -> LittleEndian.putInt(cell, 0, MIN_DATE);
      case FLOAT -> LittleEndian.putInt(cell, 0, Float.floatToRawIntBits(Float.NEGATIVE_INFINITY));
      case DOUBLE ->
          LittleEndian.putLong(cell, 0, Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY));
      default -> {
        if (isSignedInteger(type)) {
          cell[cell.length - 1] = Byte.MIN_VALUE;
        }
      }
    }
    return cell;
  }

  /**
   * The largest value; positive infinity for floats. Null for text and binary, which have no
   * largest value.
   */
  public static byte @Nullable [] maximum(DataType type) {
    return type.isVariableLength() ? null : maximumOfFixed(type);
  }

  private static byte[] maximumOfFixed(DataType type) {
    byte[] cell = new byte[type.width()];
    switch (type) {
      case DATE -> LittleEndian.putInt(cell, 0, MAX_DATE);
      case BOOL, IS_DELETED -> cell[0] = 1;
      case FLOAT -> LittleEndian.putInt(cell, 0, Float.floatToRawIntBits(Float.POSITIVE_INFINITY));
      case DOUBLE ->
          LittleEndian.putLong(cell, 0, Double.doubleToRawLongBits(Double.POSITIVE_INFINITY));
      default -> {
        Arrays.fill(cell, (byte) 0xff);
        if (isSignedInteger(type)) {
          cell[cell.length - 1] = Byte.MAX_VALUE;
        }
      }
    }
    return cell;
  }

  /** The next value in the order; null if the cell is the maximum or NaN. */
  public static byte @Nullable [] successor(DataType type, byte[] cell) {
    if (type.isVariableLength()) {
      return Arrays.copyOf(cell, cell.length + 1);
    }
    if (isNaN(type, cell, 0) || compare(type, cell, maximumOfFixed(type)) >= 0) {
      return null;
    }
    byte[] next = cell.clone();
    switch (type) {
      case FLOAT ->
          LittleEndian.putInt(next, 0, Float.floatToRawIntBits(Math.nextUp(floatAt(cell, 0))));
      case DOUBLE ->
          LittleEndian.putLong(next, 0, Double.doubleToRawLongBits(Math.nextUp(doubleAt(cell, 0))));
      default -> {
        for (int i = 0; i < next.length && ++next[i] == 0; i++) {
          // The increment carries over bytes of -1, which become 0.
        }
      }
    }
    return next;
  }

  private static boolean isSignedInteger(DataType type) {
    return !type.isVariableLength()
        && !type.isUnsigned()
        && type != DataType.BOOL
        && type != DataType.IS_DELETED;
  }

  private static int compare128(byte[] left, int leftOffset, byte[] right, int rightOffset) {
    int high =
        Long.compare(
            LittleEndian.getLong(left, leftOffset + 8),
            LittleEndian.getLong(right, rightOffset + 8));
    return high != 0
        ? high
        : Long.compareUnsigned(
            LittleEndian.getLong(left, leftOffset), LittleEndian.getLong(right, rightOffset));
  }

  private static int compareDoubles(double left, double right) {
    if (left < right) {
      return -1;
    }
    if (left > right) {
      return 1;
    }
    return Boolean.compare(Double.isNaN(left), Double.isNaN(right));
  }

  private static float floatAt(byte[] cell, int offset) {
    return Float.intBitsToFloat(LittleEndian.getInt(cell, offset));
  }

  private static double doubleAt(byte[] cell, int offset) {
    return Double.longBitsToDouble(LittleEndian.getLong(cell, offset));
  }
}
