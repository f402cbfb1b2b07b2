package dev.kudu4j.tablet.compaction;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What the rows of one input have become: by ordinal, the row's number among all rows of the
 * outputs. Off heap. Not thread-safe.
 */
final class OrdinalMap implements AutoCloseable {
  /** The row is in no output, or stands in one under another input's ordinal. */
  static final int NONE = -1;

  private final ArrowBuf numbers;

  OrdinalMap(BufferAllocator allocator, long rows) {
    this.numbers = allocator.buffer(Math.max(1, rows) * Integer.BYTES);
    Memory.fill(numbers.memoryAddress(), Math.toIntExact(rows * Integer.BYTES), (byte) NONE);
  }

  /** Rows from the ordinal on have numbers that follow each other. */
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
