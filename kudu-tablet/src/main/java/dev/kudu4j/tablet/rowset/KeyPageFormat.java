package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.memory.Memory;

/**
 * The body of a key page: keys in ascending order, front-coded. The prefix common to all keys is
 * stored once. Each key omits the prefix that it shares with the previous key. Every sixteenth key
 * is a restart: it omits only the common prefix, so a search can jump to it.
 *
 * <pre>
 *   row count i32 | prefix bytes i32 | prefix
 *   restarts: offset u16 of the entry of each 16th row except the first, from the first entry
 *   entries
 *     rows 0, 16, 32, ...: length varint | bytes of the key after the prefix
 *     other rows: head varint | shared bytes varint, only if the head is odd | further bytes
 *       head: number of further bytes * 2; plus 1 if the previous key has another length
 * </pre>
 *
 * <p>A varint has 7 bits per byte, low bits first; the top bit is set if more bytes follow.
 */
final class KeyPageFormat {
  static final int ROWS_PER_RESTART = 16;

  /**
   * The maximum size of the entries of a page with several keys. It is small because a lookup reads
   * a whole page. Because of this limit, two bytes suffice for a restart offset.
   */
  static final int PAGE_BYTES = 4096;

  /** The bytes before the prefix. */
  static final int HEADER_BYTES = 8;

  private KeyPageFormat() {}

  /** The number of row groups; each starts with a restart. */
  static int groups(int rows) {
    return (rows + ROWS_PER_RESTART - 1) / ROWS_PER_RESTART;
  }

  /** The size of the restart offsets of a page with at least one row. */
  static int restartBytes(int rows) {
    return 2 * (groups(rows) - 1);
  }

  static boolean isRestart(int row) {
    return row % ROWS_PER_RESTART == 0;
  }

  /** The head, which is the first number in an entry that is not a restart. */
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
