package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.memory.Memory;

/**
 * The body of a key page: keys in ascending order. What all of them begin with stands there once,
 * and each key is without what it shares with the one before; every sixteenth has all that is
 * behind the common prefix, so that a search can jump.
 *
 * <pre>
 *   row count i32 | prefix bytes i32 | prefix
 *   restarts: where the entry of each 16th row but the first one begins u16, counted from the first entry
 *   entries
 *   entry of each 16th row, from the first on: further bytes varint | further bytes, behind the prefix
 *   other entries: head varint | shared bytes varint, only when the head is odd | further bytes
 *                  head: further bytes * 2; plus 1 when the key is not as long as the one before
 * </pre>
 *
 * <p>A varint has 7 bits a byte, low ones first; the top bit says that more follow.
 */
final class KeyPageFormat {
  static final int ROWS_PER_RESTART = 16;

  /**
   * Most bytes of the entries of a page with several keys; small, since a look-up reads a page.
   * Restarts count on it to have two bytes.
   */
  static final int PAGE_BYTES = 4096;

  /** Bytes before the prefix. */
  static final int HEADER_BYTES = 8;

  private KeyPageFormat() {}

  /** Groups of rows between which a search jumps. */
  static int groups(int rows) {
    return (rows + ROWS_PER_RESTART - 1) / ROWS_PER_RESTART;
  }

  /** Bytes of the restarts of a page with rows. */
  static int restartBytes(int rows) {
    return 2 * (groups(rows) - 1);
  }

  static boolean isRestart(int row) {
    return row % ROWS_PER_RESTART == 0;
  }

  /** What the entry of a key that is no restart says first. */
  static int head(int further, boolean sameLength) {
    return 2 * further + (sameLength ? 0 : 1);
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
