package dev.kudu4j.tablet.compaction;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Maps the ordinals of one input rowset to output row numbers, which count through the rows of all
 * output rowsets. Off heap. Not thread-safe.
 */
final class OrdinalMap implements AutoCloseable {
  /** The row is in no output, or it was merged into another input's row with the same key. */
  static final int NONE = -1;

  private final ArrowBuf numbers;

  OrdinalMap(BufferAllocator allocator, long rows) {
    this.numbers = allocator.buffer(Math.max(1, rows) * Integer.BYTES);
    Memory.fill(numbers.memoryAddress(), rows * Integer.BYTES, (byte) NONE);
  }

  /** Assigns consecutive numbers to consecutive rows from the ordinal on. */
  void setRun(long ordinal, int count, long number) {
    long to = numbers.memoryAddress() + ordinal * Integer.BYTES;
    int first = Math.toIntExact(number);
    for (int i = 0; i < count; i++) {
      Memory.putInt(to + 4L * i, first + i);
    }
  }

  int get(long ordinal) {
    return Memory.getInt(numbers.memoryAddress() + ordinal * Integer.BYTES);
  }

  @Override
  public void close() {
    numbers.getReferenceManager().release();
  }
}
