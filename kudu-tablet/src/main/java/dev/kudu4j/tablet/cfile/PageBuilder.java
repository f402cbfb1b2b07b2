package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.file.PageBuffer;
import org.apache.arrow.memory.BufferAllocator;

/** Builds the body of a page. Not thread-safe. */
final class PageBuilder implements AutoCloseable {
  private final BufferAllocator allocator;
  private final PageBuffer buffer;
  private int bytes;

  /**
   * @param allocator not closed by the builder
   */
  PageBuilder(BufferAllocator allocator) {
    this.allocator = allocator;
    buffer = new PageBuffer(allocator);
  }

  /** Creates another, empty builder; the caller closes it. */
  PageBuilder scratch() {
    return new PageBuilder(allocator);
  }

  void clear() {
    bytes = 0;
  }

  int bytes() {
    return bytes;
  }

  /** Truncates the page to the length. */
  void truncate(int length) {
    bytes = length;
  }

  /** Removes {@code length} bytes; the bytes after them move down to {@code from}. */
  void remove(int from, int length) {
    Memory.copy(address() + from + length, address() + from, bytes - from - length);
    bytes -= length;
  }

  long address() {
    return buffer.address();
  }

  /**
   * Appends {@code more} undefined bytes and returns their address, which is valid until the next
   * call.
   */
  long append(int more) {
    long start = buffer.reserve(Math.addExact(bytes, more), bytes) + bytes;
    bytes += more;
    return start;
  }

  /**
   * Appends {@code more} zero bytes and returns their address, which is valid until the next call.
   */
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
