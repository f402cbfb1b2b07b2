package dev.kudu4j.common.memory;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import sun.misc.Unsafe;

/**
 * Reads and writes raw memory by address, little-endian, unaligned, <em>unchecked</em>: the caller
 * has made sure, once for a whole page or record, that the addresses lie inside memory it holds.
 *
 * <p>Addresses come from Arrow buffers, which own the memory. This class owns nothing.
 */
@SuppressWarnings("removal")
public final class Memory {
  private static final Unsafe UNSAFE = unsafe();
  private static final long BYTE_ARRAY_OFFSET = UNSAFE.arrayBaseOffset(byte[].class);
  private static final long INT_ARRAY_OFFSET = UNSAFE.arrayBaseOffset(int[].class);
  private static final long LONG_ARRAY_OFFSET = UNSAFE.arrayBaseOffset(long[].class);

  private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);
  private static final long BUFFER_ADDRESS_OFFSET = bufferFieldOffset("address");
  private static final long BUFFER_CAPACITY_OFFSET = bufferFieldOffset("capacity");

  static {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new ExceptionInInitializerError("Kudu4j needs a little-endian machine");
    }
  }

  private Memory() {}

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static long bufferFieldOffset(String name) {
    try {
      return UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField(name));
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * A direct buffer over raw memory, for channels and sockets: little-endian, position 0, limit
   * {@code bytes}. It owns nothing; whoever holds the memory must outlive it. Needs no JVM flag,
   * unlike Arrow's own view.
   */
  public static ByteBuffer byteBuffer(long address, int bytes) {
    ByteBuffer buffer = EMPTY.duplicate();
    UNSAFE.putLong(buffer, BUFFER_ADDRESS_OFFSET, address);
    UNSAFE.putInt(buffer, BUFFER_CAPACITY_OFFSET, bytes);
    return buffer.clear().order(ByteOrder.LITTLE_ENDIAN);
  }

  public static byte getByte(long address) {
    return UNSAFE.getByte(address);
  }

  public static short getShort(long address) {
    return UNSAFE.getShort(address);
  }

  public static int getInt(long address) {
    return UNSAFE.getInt(address);
  }

  public static long getLong(long address) {
    return UNSAFE.getLong(address);
  }

  public static float getFloat(long address) {
    return UNSAFE.getFloat(address);
  }

  public static double getDouble(long address) {
    return UNSAFE.getDouble(address);
  }

  public static void putByte(long address, byte value) {
    UNSAFE.putByte(address, value);
  }

  public static void putShort(long address, short value) {
    UNSAFE.putShort(address, value);
  }

  public static void putInt(long address, int value) {
    UNSAFE.putInt(address, value);
  }

  public static void putLong(long address, long value) {
    UNSAFE.putLong(address, value);
  }

  /** A volatile read; the address must be a multiple of 8. */
  public static long getLongVolatile(long address) {
    return UNSAFE.getLongVolatile(null, address);
  }

  /**
   * A release store: everything written before is visible to whoever reads this value with a
   * volatile read.
   */
  public static void putLongRelease(long address, long value) {
    UNSAFE.putOrderedLong(null, address, value);
  }

  /** A volatile read; the address must be a multiple of 4. */
  public static int getIntVolatile(long address) {
    return UNSAFE.getIntVolatile(null, address);
  }

  public static void putIntRelease(long address, int value) {
    UNSAFE.putOrderedInt(null, address, value);
  }

  /**
   * Loads before stay before loads after: between an optimistic read and the check of its version.
   */
  public static void loadFence() {
    UNSAFE.loadFence();
  }

  /**
   * Stores before stay before stores after: between a version's change and the writes that it
   * guards.
   */
  public static void storeFence() {
    UNSAFE.storeFence();
  }

  public static void copy(long from, long to, long bytes) {
    UNSAFE.copyMemory(from, to, bytes);
  }

  public static void copy(byte[] from, int offset, long to, int bytes) {
    assert offset >= 0 && bytes >= 0 && offset + bytes <= from.length;
    UNSAFE.copyMemory(from, BYTE_ARRAY_OFFSET + offset, null, to, bytes);
  }

  public static void copy(long from, byte[] to, int offset, int bytes) {
    assert offset >= 0 && bytes >= 0 && offset + bytes <= to.length;
    UNSAFE.copyMemory(null, from, to, BYTE_ARRAY_OFFSET + offset, bytes);
  }

  public static void copy(long from, int[] to, int offset, int ints) {
    assert offset >= 0 && ints >= 0 && offset + ints <= to.length;
    UNSAFE.copyMemory(null, from, to, INT_ARRAY_OFFSET + 4L * offset, 4L * ints);
  }

  public static void copy(long from, long[] to, int offset, int longs) {
    assert offset >= 0 && longs >= 0 && offset + longs <= to.length;
    UNSAFE.copyMemory(null, from, to, LONG_ARRAY_OFFSET + 8L * offset, 8L * longs);
  }

  public static void copy(int[] from, int offset, long to, int ints) {
    assert offset >= 0 && ints >= 0 && offset + ints <= from.length;
    UNSAFE.copyMemory(from, INT_ARRAY_OFFSET + 4L * offset, null, to, 4L * ints);
  }

  public static void fill(long address, long bytes, byte value) {
    UNSAFE.setMemory(address, bytes, value);
  }

  /** Compares as unsigned bytes, a prefix before what it begins. */
  public static int compare(long left, int leftBytes, long right, int rightBytes) {
    int common = Math.min(leftBytes, rightBytes);
    int i = 0;
    for (; i + 8 <= common; i += 8) {
      long a = UNSAFE.getLong(left + i);
      long b = UNSAFE.getLong(right + i);
      if (a != b) {
        return Long.compareUnsigned(Long.reverseBytes(a), Long.reverseBytes(b));
      }
    }
    for (; i < common; i++) {
      int a = UNSAFE.getByte(left + i) & 0xff;
      int b = UNSAFE.getByte(right + i) & 0xff;
      if (a != b) {
        return a - b;
      }
    }
    return leftBytes - rightBytes;
  }

  /** Compares as unsigned bytes, a prefix before what it begins. */
  public static int compare(long left, int leftBytes, byte[] right, int offset, int rightBytes) {
    assert offset >= 0 && rightBytes >= 0 && offset + rightBytes <= right.length;
    int common = Math.min(leftBytes, rightBytes);
    int i = 0;
    for (; i + 8 <= common; i += 8) {
      long a = UNSAFE.getLong(left + i);
      long b = UNSAFE.getLong(right, BYTE_ARRAY_OFFSET + offset + i);
      if (a != b) {
        return Long.compareUnsigned(Long.reverseBytes(a), Long.reverseBytes(b));
      }
    }
    for (; i < common; i++) {
      int a = UNSAFE.getByte(left + i) & 0xff;
      int b = right[offset + i] & 0xff;
      if (a != b) {
        return a - b;
      }
    }
    return leftBytes - rightBytes;
  }
}
