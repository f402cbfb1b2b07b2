package dev.kudu4j.tablet.btree;

import dev.kudu4j.common.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Keys as the tree sees them: the address of {@code length i32 | bytes}, never changed.
 *
 * <p>A <em>prefix</em> is eight bytes of a key from some position as an unsigned big-endian number,
 * zeros behind the key's end: it orders keys that are equal before that position, up to ties.
 */
final class Keys {
  static final int HEADER_BYTES = 4;

  private static final VarHandle BIG_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Keys() {}

  static int length(long key) {
    return Memory.getInt(key);
  }

  static long bytes(long key) {
    return key + HEADER_BYTES;
  }

  static void write(long key, byte[] array, int offset, int length) {
    Memory.putInt(key, length);
    Memory.copy(array, offset, key + HEADER_BYTES, length);
  }

  static long prefix(byte[] array, int offset, int length) {
    if (length >= Long.BYTES) {
      return (long) BIG_ENDIAN_LONG.get(array, offset);
    }
    long prefix = 0;
    for (int i = 0; i < length; i++) {
      prefix |= (array[offset + i] & 0xffL) << (56 - 8 * i);
    }
    return prefix;
  }

  static long prefix(long key, int position) {
    int length = length(key) - position;
    long from = bytes(key) + position;
    if (length >= Long.BYTES) {
      return Long.reverseBytes(Memory.getLong(from));
    }
    long prefix = 0;
    for (int i = 0; i < length; i++) {
      prefix |= (Memory.getByte(from + i) & 0xffL) << (56 - 8 * i);
    }
    return prefix;
  }

  /** Compares from {@code position} on; both are known to be equal before. */
  static int compare(long key, byte[] array, int offset, int length, int position) {
    return Memory.compare(
        bytes(key) + position, length(key) - position, array, offset + position, length - position);
  }

  /** How many leading bytes are equal, {@code limit} at most; no more than either has. */
  static int commonLength(long left, long right, int limit) {
    int end = Math.min(limit, Math.min(length(left), length(right)));
    long leftBytes = bytes(left);
    long rightBytes = bytes(right);
    int i = 0;
    for (; i + Long.BYTES <= end; i += Long.BYTES) {
      long difference = Memory.getLong(leftBytes + i) ^ Memory.getLong(rightBytes + i);
      if (difference != 0) {
        return i + (Long.numberOfTrailingZeros(difference) >>> 3);
      }
    }
    while (i < end && Memory.getByte(leftBytes + i) == Memory.getByte(rightBytes + i)) {
      i++;
    }
    return i;
  }
}
