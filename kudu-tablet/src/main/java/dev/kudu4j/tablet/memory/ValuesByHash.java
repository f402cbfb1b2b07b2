package dev.kudu4j.tablet.memory;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Numbers from 0 on, such as ordinals and addresses, by hash: an off-heap hash table with open
 * addressing, in which a hash can occur several times. Not thread-safe.
 *
 * <pre>
 *   slot: hash i64 | value + 1 i64, 0 for a free slot
 * </pre>
 */
public final class ValuesByHash implements AutoCloseable {
  /** No slot. */
  public static final int NONE = -1;

  private static final int SLOT_BYTES = 16;
  private static final int MIN_SLOTS = 64;

  private final BufferAllocator allocator;
  private @Nullable ArrowBuf buffer; // null before the first value
  private long slots;
  private int mask = -1;
  private int count;

  public ValuesByHash(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** The first slot with the hash, or {@link #NONE}. */
  public int first(long hash) {
    return count == 0 ? NONE : search(hash, start(hash));
  }

  /** The next slot with the hash behind one that has it, or {@link #NONE}. */
  public int next(long hash, int slot) {
    return search(hash, (slot + 1) & mask);
  }

  private int start(long hash) {
    return (int) (hash >>> 32) & mask;
  }

  private int search(long hash, int from) {
    int slot = from;
    while (!isFree(slot)) {
      if (Memory.getLong(address(slot)) == hash) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return NONE;
  }

  private long address(int slot) {
    return slots + (long) SLOT_BYTES * slot;
  }

  private boolean isFree(int slot) {
    return Memory.getLong(address(slot) + Long.BYTES) == 0;
  }

  public long value(int slot) {
    return Memory.getLong(address(slot) + Long.BYTES) - 1;
  }

  /** Puts another value with the same hash in the place of one. */
  public void replace(int slot, long value) {
    Memory.putLong(address(slot) + Long.BYTES, value + 1);
  }

  /**
   * Removes the value of a slot. The values behind it move up, so slots that are known become
   * invalid.
   */
  public void remove(int slot) {
    int free = slot;
    for (int next = (slot + 1) & mask; !isFree(next); next = (next + 1) & mask) {
      int home = start(Memory.getLong(address(next)));
      if (((next - home) & mask) >= ((next - free) & mask)) {
        Memory.copy(address(next), address(free), SLOT_BYTES);
        free = next;
      }
    }
    Memory.putLong(address(free) + Long.BYTES, 0);
    count--;
  }

  public void add(long hash, long value) {
    if (buffer == null || count >= (mask + 1) - ((mask + 1) >>> 2)) {
      grow();
    }
    put(hash, value + 1);
    count++;
  }

  private void put(long hash, long stored) {
    int slot = start(hash);
    while (!isFree(slot)) {
      slot = (slot + 1) & mask;
    }
    Memory.putLong(address(slot), hash);
    Memory.putLong(address(slot) + Long.BYTES, stored);
  }

  private void grow() {
    ArrowBuf before = buffer;
    long old = slots;
    int oldSlots = mask + 1;
    int more = before == null ? MIN_SLOTS : Math.multiplyExact(2, oldSlots);
    ArrowBuf larger = allocator.buffer((long) SLOT_BYTES * more);
    buffer = larger;
    slots = larger.memoryAddress();
    mask = more - 1;
    Memory.fill(slots, (long) SLOT_BYTES * more, (byte) 0);
    for (int slot = 0; slot < oldSlots; slot++) {
      long at = old + (long) SLOT_BYTES * slot;
      if (Memory.getLong(at + Long.BYTES) != 0) {
        put(Memory.getLong(at), Memory.getLong(at + Long.BYTES));
      }
    }
    if (before != null) {
      before.close();
    }
  }

  public int count() {
    return count;
  }

  @Override
  public void close() {
    if (buffer != null) {
      buffer.close();
      buffer = null;
      count = 0;
      mask = -1;
    }
  }
}
