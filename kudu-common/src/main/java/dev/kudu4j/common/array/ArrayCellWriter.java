package dev.kudu4j.common.array;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes array cells. Each method takes the elements of a cell as a Java array and the type of the
 * column's elements, which must have the width of the array's elements.
 *
 * <p>The parameter {@code validity} says which elements are not NULL; null or an empty array means
 * all. The values of NULL elements are ignored.
 *
 * <pre>
 *   0   root offset          16  content table             48  vector of elements
 *   4   its directory        32  directory of elements     ..  text and binary elements
 *                            40  elements table            ..  validity bits, if any
 * </pre>
 */
public final class ArrayCellWriter {
  private static final int CONTENT_DIRECTORY = 4;
  private static final int CONTENT = 16;
  private static final int CONTENT_BYTES = 16;
  private static final int ELEMENTS_DIRECTORY = 32;
  private static final int ELEMENTS = 40;
  private static final int HEAD_BYTES = 48;

  /** A table whose only field is an offset. */
  private static final int SMALL_TABLE_BYTES = 8;

  private ArrayCellWriter() {}

  /** A cell of INT8 or UINT8 elements, or of BOOL elements that are 0 or 1. */
  public static byte[] write(DataType type, byte[] values, boolean @Nullable [] validity) {
    Draft draft = fixed(type, false, Byte.BYTES, values.length, validity);
    System.arraycopy(values, 0, draft.cell, draft.values, values.length);
    return draft.finish(validity);
  }

  /** A cell of BOOL elements. */
  public static byte[] write(boolean[] values, boolean @Nullable [] validity) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (values[i] ? 1 : 0);
    }
    return write(DataType.BOOL, bytes, validity);
  }

  /** A cell of INT16 or UINT16 elements. */
  public static byte[] write(DataType type, short[] values, boolean @Nullable [] validity) {
    Draft draft = fixed(type, false, Short.BYTES, values.length, validity);
    for (int i = 0; i < values.length; i++) {
      LittleEndian.putShort(draft.cell, draft.values + i * Short.BYTES, values[i]);
    }
    return draft.finish(validity);
  }

  /** A cell of INT32, UINT32, DATE or DECIMAL32 elements. */
  public static byte[] write(DataType type, int[] values, boolean @Nullable [] validity) {
    Draft draft = fixed(type, false, Integer.BYTES, values.length, validity);
    for (int i = 0; i < values.length; i++) {
      LittleEndian.putInt(draft.cell, draft.values + i * Integer.BYTES, values[i]);
    }
    return draft.finish(validity);
  }

  /** A cell of INT64, UINT64, UNIXTIME_MICROS or DECIMAL64 elements. */
  public static byte[] write(DataType type, long[] values, boolean @Nullable [] validity) {
    Draft draft = fixed(type, false, Long.BYTES, values.length, validity);
    for (int i = 0; i < values.length; i++) {
      LittleEndian.putLong(draft.cell, draft.values + i * Long.BYTES, values[i]);
    }
    return draft.finish(validity);
  }

  /** A cell of FLOAT elements. */
  public static byte[] write(float[] values, boolean @Nullable [] validity) {
    Draft draft = fixed(DataType.FLOAT, true, Float.BYTES, values.length, validity);
    for (int i = 0; i < values.length; i++) {
      int at = draft.values + i * Float.BYTES;
      LittleEndian.putInt(draft.cell, at, Float.floatToRawIntBits(values[i]));
    }
    return draft.finish(validity);
  }

  /** A cell of DOUBLE elements. */
  public static byte[] write(double[] values, boolean @Nullable [] validity) {
    Draft draft = fixed(DataType.DOUBLE, true, Double.BYTES, values.length, validity);
    for (int i = 0; i < values.length; i++) {
      int at = draft.values + i * Double.BYTES;
      LittleEndian.putLong(draft.cell, at, Double.doubleToRawLongBits(values[i]));
    }
    return draft.finish(validity);
  }

  /**
   * A cell of STRING, VARCHAR or BINARY elements, each given as its bytes.
   *
   * @param values null only for elements that {@code validity} declares NULL
   */
  public static byte[] write(
      DataType type, byte[] @Nullable [] values, boolean @Nullable [] validity) {
    if (!type.isVariableLength() || !ArrayCells.supports(type)) {
      throw new IllegalArgumentException("Elements of type " + type + " are not texts");
    }
    boolean binary = type == DataType.BINARY;
    boolean @Nullable [] valid = isAllValid(validity, values.length) ? null : validity;
    byte[][] texts = new byte[values.length][];
    long size = HEAD_BYTES + Integer.BYTES + 4L * values.length;
    for (int i = 0; i < texts.length; i++) {
      texts[i] = valid == null || valid[i] ? values[i] : new byte[0];
      size += textBytes(texts[i].length, binary);
    }
    Draft draft = new Draft(type, HEAD_BYTES, values.length, size, valid == null);
    int at = draft.values + Integer.BYTES * values.length;
    for (int i = 0; i < texts.length; i++) {
      LittleEndian.putInt(draft.cell, draft.values + i * Integer.BYTES, at - draft.values - 4 * i);
      draft.putText(at, texts[i], binary);
      at += textBytes(texts[i].length, binary);
    }
    return draft.finish(validity);
  }

  /** The space of an element: its length, its bytes, and a zero byte or the table before it. */
  private static int textBytes(int length, boolean binary) {
    return binary
        ? SMALL_TABLE_BYTES + Integer.BYTES + align(length)
        : Integer.BYTES + align(length + 1);
  }

  private static int align(int bytes) {
    return (bytes + 3) & ~3;
  }

  private static Draft fixed(
      DataType type, boolean floating, int width, int count, boolean @Nullable [] validity) {
    if (type.width() != width || type.isFloating() != floating || !ArrayCells.supports(type)) {
      throw new IllegalArgumentException(
          "Elements of type "
              + type
              + " are not "
              + (floating ? "floats of " : "integers of ")
              + width
              + " bytes");
    }
    int vector = width == Long.BYTES ? HEAD_BYTES + Integer.BYTES : HEAD_BYTES; // aligns elements
    long end = vector + Integer.BYTES + (long) count * width;
    return new Draft(type, vector, count, (end + 3) & ~3L, isAllValid(validity, count));
  }

  private static boolean isAllValid(boolean @Nullable [] validity, int count) {
    if (validity == null || validity.length == 0) {
      return true;
    }
    if (validity.length != count) {
      throw new IllegalArgumentException(
          "validity length mismatch: " + validity.length + " vs " + count);
    }
    for (boolean valid : validity) {
      if (!valid) {
        return false;
      }
    }
    return true;
  }

  /** A cell with everything but its elements and validity bits. */
  private static final class Draft {
    final byte[] cell;

    /** The position of the first element. */
    final int values;

    private final DataType type;
    private final int count;
    private final int validity; // position of the vector; 0 if no element is NULL

    /**
     * @param end the position behind the elements
     */
    Draft(DataType type, int vector, int count, long end, boolean allValid) {
      long size = allValid ? end : end + Integer.BYTES + ArrayCells.validityBytes(count);
      if (size > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException("An array of " + size + " bytes is too large");
      }
      this.type = type;
      this.count = count;
      cell = new byte[(int) size];
      values = vector + Integer.BYTES;
      validity = allValid ? 0 : (int) end;
      LittleEndian.putInt(cell, 0, CONTENT);
      putDirectory(CONTENT_DIRECTORY, CONTENT_BYTES, 12, 4, allValid ? 0 : 8);
      LittleEndian.putInt(cell, CONTENT, CONTENT - CONTENT_DIRECTORY);
      putOffset(CONTENT + 4, ELEMENTS);
      if (!allValid) {
        putOffset(CONTENT + 8, validity);
        LittleEndian.putInt(cell, validity, ArrayCells.validityBytes(count));
      }
      cell[CONTENT + 12] = (byte) ArrayCells.kind(type);
      putDirectory(ELEMENTS_DIRECTORY, SMALL_TABLE_BYTES, 4);
      putSmallTable(ELEMENTS, vector);
      LittleEndian.putInt(cell, vector, count);
    }

    private void putDirectory(int at, int tableBytes, int... fields) {
      LittleEndian.putShort(cell, at, (short) (4 + 2 * fields.length));
      LittleEndian.putShort(cell, at + 2, (short) tableBytes);
      for (int i = 0; i < fields.length; i++) {
        LittleEndian.putShort(cell, at + 4 + 2 * i, (short) fields[i]);
      }
    }

    private void putOffset(int at, int target) {
      LittleEndian.putInt(cell, at, target - at);
    }

    private void putSmallTable(int at, int target) {
      LittleEndian.putInt(cell, at, at - ELEMENTS_DIRECTORY);
      putOffset(at + 4, target);
    }

    void putText(int at, byte[] text, boolean binary) {
      int vector = at;
      if (binary) {
        vector = at + SMALL_TABLE_BYTES;
        putSmallTable(at, vector);
      }
      LittleEndian.putInt(cell, vector, text.length);
      System.arraycopy(text, 0, cell, vector + Integer.BYTES, text.length);
    }

    byte[] finish(boolean @Nullable [] valid) {
      if (validity == 0 || valid == null) {
        return cell;
      }
      int bits = validity + Integer.BYTES;
      for (int i = 0; i < count; i++) {
        if (valid[i]) {
          cell[bits + (i >>> 3)] |= (byte) (1 << (i & 7));
        } else if (!type.isVariableLength()) {
          Arrays.fill(cell, values + i * type.width(), values + (i + 1) * type.width(), (byte) 0);
        }
      }
      return cell;
    }
  }
}
