package dev.kudu4j.tablet.btree;

import dev.kudu4j.common.memory.Memory;

/** A key of the tree is the address of immutable bytes {@code length i32 | bytes}. */
final class Keys {
  static final int HEADER_BYTES = 4;

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

  /** Compares from {@code position} on; the bytes before it are equal. */
  static int compare(long key, byte[] array, int offset, int length, int position) {
    return Memory.compare(
        bytes(key) + position, length(key) - position, array, offset + position, length - position);
  }

  /** The number of equal leading bytes, but at most {@code limit}. */
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
