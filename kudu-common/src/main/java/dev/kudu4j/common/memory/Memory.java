package dev.kudu4j.common.memory;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import sun.misc.Unsafe;

/**
 * Reads and writes raw memory by address, little-endian, unaligned. In production nothing is
 * checked: the caller ensures, once for a whole page or record, that the addresses lie inside
 * memory that it holds.
 *
 * <p>With assertions enabled ({@code -ea}, as in all tests) each call checks its ranges. An address
 * near 0 (a null address plus an offset), a negative address or length, a range that overflows, a
 * volatile access that is not aligned, or a slice outside its array throws an {@link
 * AssertionError} instead of crashing the JVM. The checks cannot detect an address that is not
 * allocated.
 *
 * <p>Addresses come from Arrow buffers, which own the memory. This class owns no memory.
 */
@SuppressWarnings("removal")
public final class Memory {
  private static final Unsafe UNSAFE = unsafe();
  private static final long BYTE_ARRAY_OFFSET = UNSAFE.arrayBaseOffset(byte[].class);
  private static final long INT_ARRAY_OFFSET = UNSAFE.arrayBaseOffset(int[].class);
  private static final long LONG_ARRAY_OFFSET = UNSAFE.arrayBaseOffset(long[].class);

  /**
   * Whether the methods check their arguments. The JIT treats this field as a constant. The methods
   * do not use {@code assert}: it would triple their bytecode, and they must stay small enough to
   * be inlined.
   */
  private static final boolean CHECKED = Memory.class.desiredAssertionStatus();

  /** No operating system allocates lower addresses. A null address plus an offset is lower. */
  private static final long LOWEST_ADDRESS = 1 << 16;

  /** The addresses of processes are lower on every 64-bit system. */
  private static final long END_OF_ADDRESSES = 1L << 56;

  private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);
  private static final long BUFFER_ADDRESS_OFFSET = bufferFieldOffset("address");
  private static final long BUFFER_CAPACITY_OFFSET = bufferFieldOffset("capacity");

  static {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new ExceptionInInitializerError("Kudu4j requires a little-endian machine");
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
   * {@code bytes}. The buffer does not own the memory: the owner must keep the memory allocated as
   * long as the buffer is in use. Unlike {@code ArrowBuf.nioBuffer}, this method needs no JVM flag.
   */
  public static ByteBuffer byteBuffer(long address, int bytes) {
    if (CHECKED) {
      check(address, bytes);
    }
    ByteBuffer buffer = EMPTY.duplicate();
    UNSAFE.putLong(buffer, BUFFER_ADDRESS_OFFSET, address);
    UNSAFE.putInt(buffer, BUFFER_CAPACITY_OFFSET, bytes);
    return buffer.clear().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Frees the memory of a direct buffer immediately, instead of after a garbage collection. Neither
   * this buffer nor a slice or duplicate of it may be used afterwards.
   *
   * @throws IllegalArgumentException if {@code buffer} is itself a slice or a duplicate
   */
  public static void free(ByteBuffer buffer) {
    UNSAFE.invokeCleaner(buffer);
  }

  public static byte getByte(long address) {
    if (CHECKED) {
      check(address, Byte.BYTES);
    }
    return UNSAFE.getByte(address);
  }

  public static short getShort(long address) {
    if (CHECKED) {
      check(address, Short.BYTES);
    }
    return UNSAFE.getShort(address);
  }

  public static int getInt(long address) {
    if (CHECKED) {
      check(address, Integer.BYTES);
    }
    return UNSAFE.getInt(address);
  }

  public static long getLong(long address) {
    if (CHECKED) {
      check(address, Long.BYTES);
    }
    return UNSAFE.getLong(address);
  }

  public static float getFloat(long address) {
    if (CHECKED) {
      check(address, Float.BYTES);
    }
    return UNSAFE.getFloat(address);
  }

  public static double getDouble(long address) {
    if (CHECKED) {
      check(address, Double.BYTES);
    }
    return UNSAFE.getDouble(address);
  }

  public static void putByte(long address, byte value) {
    if (CHECKED) {
      check(address, Byte.BYTES);
    }
    UNSAFE.putByte(address, value);
  }

  public static void putShort(long address, short value) {
    if (CHECKED) {
      check(address, Short.BYTES);
    }
    UNSAFE.putShort(address, value);
  }

  public static void putInt(long address, int value) {
    if (CHECKED) {
      check(address, Integer.BYTES);
    }
    UNSAFE.putInt(address, value);
  }

  public static void putLong(long address, long value) {
    if (CHECKED) {
      check(address, Long.BYTES);
    }
    UNSAFE.putLong(address, value);
  }

  /** A volatile read; the address must be a multiple of 8. */
  public static long getLongVolatile(long address) {
    if (CHECKED) {
      checkAligned(address, Long.BYTES);
    }
    return UNSAFE.getLongVolatile(null, address);
  }

  /**
   * A release store: a thread that reads this value with a volatile read sees everything that was
   * written before this store. The address must be a multiple of 8.
   */
  public static void putLongRelease(long address, long value) {
    if (CHECKED) {
      checkAligned(address, Long.BYTES);
    }
    UNSAFE.putOrderedLong(null, address, value);
  }

  /** A volatile read; the address must be a multiple of 4. */
  public static int getIntVolatile(long address) {
    if (CHECKED) {
      checkAligned(address, Integer.BYTES);
    }
    return UNSAFE.getIntVolatile(null, address);
  }

  /** A release store; the address must be a multiple of 4. */
  public static void putIntRelease(long address, int value) {
    if (CHECKED) {
      checkAligned(address, Integer.BYTES);
    }
    UNSAFE.putOrderedInt(null, address, value);
  }

  /**
   * Orders earlier loads before later loads. An optimistic reader calls it after it has read data
   * and before it checks the version of the data.
   */
  public static void loadFence() {
    UNSAFE.loadFence();
  }

  /**
   * Orders earlier stores before later stores. A writer calls it after it has changed a version and
   * before it writes the data that the version protects.
   */
  public static void storeFence() {
    UNSAFE.storeFence();
  }

  public static void copy(long from, long to, long bytes) {
    if (CHECKED) {
      check(from, bytes);
      check(to, bytes);
    }
    UNSAFE.copyMemory(from, to, bytes);
  }

  public static void copy(byte[] from, int offset, long to, int bytes) {
    if (CHECKED) {
      checkSlice(from.length, offset, bytes);
      check(to, bytes);
    }
    UNSAFE.copyMemory(from, BYTE_ARRAY_OFFSET + offset, null, to, bytes);
  }

  public static void copy(long from, byte[] to, int offset, int bytes) {
    if (CHECKED) {
      check(from, bytes);
      checkSlice(to.length, offset, bytes);
    }
    UNSAFE.copyMemory(null, from, to, BYTE_ARRAY_OFFSET + offset, bytes);
  }

  public static void copy(long from, int[] to, int offset, int ints) {
    if (CHECKED) {
      check(from, 4L * ints);
      checkSlice(to.length, offset, ints);
    }
    UNSAFE.copyMemory(null, from, to, INT_ARRAY_OFFSET + 4L * offset, 4L * ints);
  }

  public static void copy(long from, long[] to, int offset, int longs) {
    if (CHECKED) {
      check(from, 8L * longs);
      checkSlice(to.length, offset, longs);
    }
    UNSAFE.copyMemory(null, from, to, LONG_ARRAY_OFFSET + 8L * offset, 8L * longs);
  }

  public static void copy(int[] from, int offset, long to, int ints) {
    if (CHECKED) {
      checkSlice(from.length, offset, ints);
      check(to, 4L * ints);
    }
    UNSAFE.copyMemory(from, INT_ARRAY_OFFSET + 4L * offset, null, to, 4L * ints);
  }

  public static void fill(long address, long bytes, byte value) {
    if (CHECKED) {
      check(address, bytes);
    }
    UNSAFE.setMemory(address, bytes, value);
  }

  /** Compares two ranges as unsigned bytes. A range is greater than its proper prefixes. */
  public static int compare(long left, int leftBytes, long right, int rightBytes) {
    if (CHECKED) {
      check(left, leftBytes);
      check(right, rightBytes);
    }
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

  /** Compares two ranges as unsigned bytes. A range is greater than its proper prefixes. */
  public static int compare(long left, int leftBytes, byte[] right, int offset, int rightBytes) {
    if (CHECKED) {
      check(left, leftBytes);
      checkSlice(right.length, offset, rightBytes);
    }
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

  /** Checks a range. An empty range may have any address, because an empty buffer has no memory. */
  private static void check(long address, long bytes) {
    boolean inside = address >= LOWEST_ADDRESS && bytes <= END_OF_ADDRESSES - address;
    if (bytes < 0 || (bytes > 0 && !inside)) {
      throw new AssertionError("Not a range of memory: " + bytes + " bytes at address " + address);
    }
  }

  private static void checkAligned(long address, int bytes) {
    check(address, bytes);
    if ((address & (bytes - 1)) != 0) {
      throw new AssertionError("Address is not a multiple of " + bytes + ": " + address);
    }
  }

  private static void checkSlice(int length, int offset, int count) {
    if (offset < 0 || count < 0 || count > length - offset) {
      throw new AssertionError(
          "Not a slice of an array of " + length + ": " + count + " elements at " + offset);
    }
  }
}
