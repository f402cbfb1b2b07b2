package dev.kudu4j.common.key;

import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The order-preserving encoding of key columns. Integers are big-endian, with the sign bit flipped
 * for signed types. Text is escaped and terminated, unless it is the last column of the encoding.
 *
 * <p>"Last" means the last column of <em>this</em> encoding (whole key, hash dimension, range), not
 * of the table.
 */
public final class KeyEncoder {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private KeyEncoder() {}

  /**
   * Appends the encoding of one cell.
   *
   * @param cell array that contains the cell form at {@code [offset, offset + length)}
   * @param last whether the column is the last one of this encoding
   */
  public static void appendCell(
      DataType type, byte[] cell, int offset, int length, boolean last, KeyBuffer out) {
    switch (type) {
      case INT8 -> out.append((byte) (cell[offset] ^ 0x80));
      case UINT8 -> out.append(cell[offset]);
      case INT16 ->
          appendShort((short) (LittleEndian.getShort(cell, offset) ^ Short.MIN_VALUE), out);
      case UINT16 -> appendShort(LittleEndian.getShort(cell, offset), out);
      case INT32, DATE, DECIMAL32 -> appendInt(LittleEndian.getInt(cell, offset), out);
      case UINT32 -> appendUnsignedInt(LittleEndian.getInt(cell, offset), out);
      case INT64, UNIXTIME_MICROS, DECIMAL64 -> appendLong(LittleEndian.getLong(cell, offset), out);
      case UINT64 -> appendUnsignedLong(LittleEndian.getLong(cell, offset), out);
      case INT128, DECIMAL128 -> {
        appendLong(LittleEndian.getLong(cell, offset + 8), out);
        appendUnsignedLong(LittleEndian.getLong(cell, offset), out);
      }
      case STRING, BINARY, VARCHAR -> {
        if (last) {
          out.append(cell, offset, length);
        } else {
          appendTerminated(cell, offset, length, out);
        }
      }
      default -> throw new IllegalArgumentException("A key cannot hold a " + type);
    }
  }

  /**
   * Appends the encoding of the type's minimum. A column that a bound does not set has this value.
   */
  public static void appendMinimum(DataType type, boolean last, KeyBuffer out) {
    byte[] minimum = CellOrder.minimum(type);
    appendCell(type, minimum, 0, minimum.length, last, out);
  }

  /** Appends a signed 32-bit number. */
  public static void appendInt(int value, KeyBuffer out) {
    appendUnsignedInt(value ^ Integer.MIN_VALUE, out);
  }

  /** Appends a signed 64-bit number. */
  public static void appendLong(long value, KeyBuffer out) {
    appendUnsignedLong(value ^ Long.MIN_VALUE, out);
  }

  /** Appends an unsigned 32-bit number, big-endian. This is the encoding of hash buckets. */
  public static void appendUnsignedInt(int value, KeyBuffer out) {
    int at = out.advance(Integer.BYTES);
    INT.set(out.array(), at, value);
  }

  private static void appendUnsignedLong(long value, KeyBuffer out) {
    int at = out.advance(Long.BYTES);
    LONG.set(out.array(), at, value);
  }

  private static void appendShort(short value, KeyBuffer out) {
    int at = out.advance(Short.BYTES);
    SHORT.set(out.array(), at, value);
  }

  /**
   * Escapes each 00 as 00 01 and appends the terminator 00 00. Copies each run of bytes up to the
   * next 00 in one step.
   */
  private static void appendTerminated(byte[] cell, int offset, int length, KeyBuffer out) {
    int end = offset + length;
    int from = offset;
    for (int i = offset; i < end; i++) {
      if (cell[i] == 0) {
        out.append(cell, from, i + 1 - from);
        out.append((byte) 1);
        from = i + 1;
      }
    }
    out.append(cell, from, end - from);
    appendShort((short) 0, out);
  }
}
