package dev.kudu4j.tablet.file;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * One off-heap buffer that is made larger when needed and then kept: where a page is put together,
 * or read into. Addresses change with growth. Not thread-safe.
 */
public final class PageBuffer implements AutoCloseable {
  private final BufferAllocator allocator;
  private ArrowBuf buffer; // null before the first use and once closed

  /**
   * @param allocator shared
   */
  public PageBuffer(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** Room for {@code bytes} bytes, whose first {@code kept} bytes stay as they are. */
  public long reserve(long bytes, long kept) {
    if (buffer == null || buffer.capacity() < bytes) {
      ArrowBuf larger = allocator.buffer(Math.max(64, Math.max(bytes, growth(bytes))));
      if (buffer != null) {
        Memory.copy(buffer.memoryAddress(), larger.memoryAddress(), kept);
        buffer.close();
      }
      buffer = larger;
    }
    return buffer.memoryAddress();
  }

  /** Room for {@code bytes} bytes; what was there may be lost. */
  public long reserve(long bytes) {
    return reserve(bytes, 0);
  }

  private long growth(long bytes) {
    return buffer == null ? bytes : buffer.capacity() + buffer.capacity() / 2;
  }

  public long address() {
    return buffer.memoryAddress();
  }

  public long capacity() {
    return buffer == null ? 0 : buffer.capacity();
  }

  /** Gives the buffer to the caller; the next {@link #reserve} makes another. */
  ArrowBuf take() {
    ArrowBuf taken = buffer;
    buffer = null;
    return taken;
  }

  @Override
  public void close() {
    if (buffer != null) {
      buffer.close();
      buffer = null;
    }
  }
}
