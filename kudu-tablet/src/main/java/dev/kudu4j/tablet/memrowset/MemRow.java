package dev.kudu4j.tablet.memrowset;

import dev.kudu4j.common.memory.Memory;

/**
 * Static accessors of a row in a {@link MemRowSet} by its address.
 *
 * <pre>
 *   newest mutation i64 | insert timestamp i64 | layout u16 | unused u16 | key length i32
 *       | encoded key | body ({@link RowFormat})
 * </pre>
 *
 * <p>Everything except the newest mutation is immutable once the row is visible.
 */
public final class MemRow {
  static final int LAYOUT_OFFSET = 16;
  static final int KEY_LENGTH_OFFSET = 20;
  static final int KEY_OFFSET = 24;

  private MemRow() {}

  public static long insertTimestamp(long row) {
    return Memory.getLong(row + 8);
  }

  /** The newest {@link dev.kudu4j.tablet.delta.Mutation}, or 0; a volatile read. */
  public static long newestMutation(long row) {
    return Memory.getLongVolatile(row);
  }

  /** The index of the row's {@link RowFormat} in its MemRowSet. */
  public static int layout(long row) {
    return Memory.getShort(row + LAYOUT_OFFSET) & 0xffff;
  }

  public static long keyAddress(long row) {
    return row + KEY_OFFSET;
  }

  public static int keyLength(long row) {
    return Memory.getInt(row + KEY_LENGTH_OFFSET);
  }

  static void publishMutation(long row, long mutation) {
    Memory.putLongRelease(row, mutation);
  }

  static void writeHeader(
      long row, long timestamp, int layout, byte[] key, int offset, int keyLength) {
    Memory.putLong(row, 0);
    Memory.putLong(row + 8, timestamp);
    Memory.putInt(row + LAYOUT_OFFSET, layout);
    Memory.putInt(row + KEY_LENGTH_OFFSET, keyLength);
    Memory.copy(key, offset, row + KEY_OFFSET, keyLength);
  }

  /** The start of the body. */
  static long body(long row) {
    return row + KEY_OFFSET + keyLength(row);
  }
}
