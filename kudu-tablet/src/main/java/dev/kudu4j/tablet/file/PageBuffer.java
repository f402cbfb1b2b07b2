package dev.kudu4j.tablet.file;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A reusable off-heap buffer that grows on demand, for building or reading a page. When the buffer
 * grows, its address changes. Not thread-safe.
 */
public final class PageBuffer implements AutoCloseable {
  private final BufferAllocator allocator;
  private @Nullable ArrowBuf buffer; // null before the first use and after close

  /**
   * @param allocator allocates the memory; closed by the caller
   */
  public PageBuffer(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Ensures a capacity of {@code bytes} bytes, keeps the first {@code kept} bytes, and returns the
   * address.
   */
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

  /** Ensures a capacity of {@code bytes} bytes and returns the address; the content may be lost. */
  public long reserve(long bytes) {
    return reserve(bytes, 0);
  }

  private long growth(long bytes) {
    return buffer == null ? bytes : buffer.capacity() + buffer.capacity() / 2;
  }

  public long address() {
    assert buffer != null : "reserve() must be called first";
    return buffer.memoryAddress();
  }

  public long capacity() {
    return buffer == null ? 0 : buffer.capacity();
  }

  /** Transfers the buffer to the caller; the next {@link #reserve} allocates a new one. */
  ArrowBuf take() {
    ArrowBuf taken = buffer;
    assert taken != null : "reserve() must be called first";
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
