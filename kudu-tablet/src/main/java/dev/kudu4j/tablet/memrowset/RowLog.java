package dev.kudu4j.tablet.memrowset;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.memory.Arena;
import java.util.Arrays;

/**
 * An append-only list of rows, in the order in which they were added. One writer; any number of
 * readers, which see each row that was added before they asked for the count.
 */
final class RowLog {
  private static final int CHUNK_BITS = 10;
  private static final int CHUNK_ROWS = 1 << CHUNK_BITS;

  private final Arena arena;

  /** The addresses of the chunks; the array is replaced when it is full. */
  private volatile long[] chunks = new long[4];

  private volatile int count;

  /**
   * @param arena owns the memory of the list
   */
  RowLog(Arena arena) {
    this.arena = arena;
  }

  /** Appends the address of a row. Writer only. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void add(long row) {
    int index = count;
    int chunk = index >>> CHUNK_BITS;
    if ((index & (CHUNK_ROWS - 1)) == 0) {
      long[] known = chunks;
      if (chunk == known.length) {
        known = Arrays.copyOf(known, 2 * chunk);
      }
      known[chunk] = arena.allocate(CHUNK_ROWS * Long.BYTES);
      chunks = known;
    }
    Memory.putLong(chunks[chunk] + 8L * (index & (CHUNK_ROWS - 1)), row);
    count = index + 1;
  }

  int count() {
    return count;
  }

  /** The address of a row; {@code index} is below a {@link #count} that was read before. */
  long get(int index) {
    return Memory.getLong(chunks[index >>> CHUNK_BITS] + 8L * (index & (CHUNK_ROWS - 1)));
  }
}
