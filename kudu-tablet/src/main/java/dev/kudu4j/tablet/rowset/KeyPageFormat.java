package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.memory.Memory;

/**
 * The body of a key page: keys in ascending order, each without what it shares with the one before;
 * every sixteenth is whole, so that a search can jump.
 *
 * <pre>
 *   row count i32 | restart of each 16 rows i32, counted from the body's start | entries
 *   entry: shared bytes varint | further bytes varint | further bytes         a varint has 7 bits a byte, low ones first
 * </pre>
 */
final class KeyPageFormat {
  static final int ROWS_PER_RESTART = 16;

  /** Wanted size of a page; small, since a lookup reads one. */
  static final int PAGE_BYTES = 4096;

  private KeyPageFormat() {}

  static int restarts(int rows) {
    return (rows + ROWS_PER_RESTART - 1) / ROWS_PER_RESTART;
  }

  /** Where the entries begin. */
  static int headerBytes(int rows) {
    return 4 + 4 * restarts(rows);
  }

  static int varintBytes(int value) {
    return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5;
  }

  static long putVarint(long address, int value) {
    long at = address;
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      Memory.putByte(at++, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    Memory.putByte(at++, (byte) rest);
    return at;
  }
}
