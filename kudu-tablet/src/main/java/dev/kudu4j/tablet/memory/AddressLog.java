package dev.kudu4j.tablet.memory;

import dev.kudu4j.common.memory.Memory;
import java.util.Arrays;

/**
 * An append-only list of addresses or other numbers of 64 bits, in the order in which they were
 * added. One writer; any number of readers, which see each number that was added before they asked
 * for the count.
 */
public final class AddressLog {
  private final Arena arena;
  private final int chunkBits;

  /** The addresses of the chunks; the array is replaced when it is full. */
  private volatile long[] chunks = new long[4];

  private volatile int count;

  /**
   * @param arena owns the memory of the list
   * @param chunkBits a chunk of memory holds 2^{@code chunkBits} numbers
   */
  public AddressLog(Arena arena, int chunkBits) {
    this.arena = arena;
    this.chunkBits = chunkBits;
  }

  /** Appends a number. Writer only. */
  public void add(long address) {
    int index = count;
    put(index, address);
    count = index + 1;
  }

  /** Appends two numbers, of which readers see both or none. Writer only. */
  public void add(long first, long second) {
    int index = count;
    put(index, first);
    put(index + 1, second);
    count = index + 2;
  }

  private void put(int index, long address) {
    int chunk = index >>> chunkBits;
    if (placeInChunk(index) == 0) {
      long[] known = chunks;
      if (chunk == known.length) {
        known = Arrays.copyOf(known, 2 * chunk);
      }
      known[chunk] = arena.allocate(Long.BYTES << chunkBits);
      chunks = known;
    }
    Memory.putLong(chunks[chunk] + 8L * placeInChunk(index), address);
  }

  private int placeInChunk(int index) {
    return index & ((1 << chunkBits) - 1);
  }

  public int count() {
    return count;
  }

  /** A number; {@code index} is below a {@link #count} that was read before. */
  public long get(int index) {
    return Memory.getLong(chunks[index >>> chunkBits] + 8L * placeInChunk(index));
  }
}
