package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.file.GrowingBuffer;
import org.apache.arrow.memory.BufferAllocator;

/** The page being put together. Not thread-safe. */
final class PageOutput implements AutoCloseable {
  private final BufferAllocator allocator;
  private final GrowingBuffer buffer;
  private int bytes;

  /**
   * @param allocator shared
   */
  PageOutput(BufferAllocator allocator) {
    this.allocator = allocator;
    buffer = new GrowingBuffer(allocator);
  }

  /** Another, empty one beside this one; the caller closes it. */
  PageOutput scratch() {
    return new PageOutput(allocator);
  }

  void clear() {
    bytes = 0;
  }

  int bytes() {
    return bytes;
  }

  /** Drops what was appended behind that length. */
  void truncate(int length) {
    bytes = length;
  }

  long address() {
    return buffer.address();
  }

  /** Room for that many more bytes, counted in; valid until the next call. */
  long append(int more) {
    long start = buffer.reserve(Math.addExact(bytes, more), bytes) + bytes;
    bytes += more;
    return start;
  }

  /** Room of zeros. */
  long appendZeros(int more) {
    long start = append(more);
    Memory.fill(start, more, (byte) 0);
    return start;
  }

  void appendInt(int value) {
    Memory.putInt(append(4), value);
  }

  void append(long address, int length) {
    Memory.copy(address, append(length), length);
  }

  @Override
  public void close() {
    buffer.close();
  }
}
