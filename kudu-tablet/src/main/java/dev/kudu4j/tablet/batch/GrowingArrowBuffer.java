package dev.kudu4j.tablet.batch;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * An Arrow buffer that is replaced by a larger one when it is full; allocated on first use. The
 * caller tracks the bytes in use.
 */
final class GrowingArrowBuffer implements AutoCloseable {
  private static final long MIN_BYTES = 64;

  private final BufferAllocator allocator;
  private @Nullable ArrowBuf buffer;
  private long address;
  private long capacity;

  GrowingArrowBuffer(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** The start of the buffer; 0 before the first allocation. */
  long address() {
    return address;
  }

  long capacity() {
    return capacity;
  }

  /** Ensures a capacity of {@code needed} bytes and keeps the first {@code used} bytes. */
  void ensure(long needed, long used) {
    if (needed > capacity) {
      grow(Math.max(needed, Math.min(2 * capacity, Integer.MAX_VALUE)), used);
    }
  }

  private void grow(long bytes, long used) {
    ArrowBuf larger = allocator.buffer(Math.max(bytes, MIN_BYTES));
    if (used > 0) {
      Memory.copy(address, larger.memoryAddress(), used);
    }
    release();
    hold(larger);
  }

  /** Swaps the memory of this buffer and {@code other}. */
  void swap(GrowingArrowBuffer other) {
    @Nullable ArrowBuf otherBuffer = other.buffer;
    other.hold(buffer);
    hold(otherBuffer);
  }

  /** The first {@code bytes} bytes, with a reference that the caller releases. */
  ArrowBuf share(long bytes) {
    if (bytes == 0) {
      return allocator.getEmpty();
    }
    assert buffer != null : "the bytes to share are in the buffer";
    buffer.getReferenceManager().retain();
    return buffer.slice(0, bytes);
  }

  /** Releases the memory if it has another owner, so that later writes go to new memory. */
  void unshare() {
    if (buffer != null && buffer.refCnt() > 1) {
      release();
    }
  }

  private void release() {
    if (buffer != null) {
      buffer.getReferenceManager().release();
      hold(null);
    }
  }

  private void hold(@Nullable ArrowBuf held) {
    buffer = held;
    address = held == null ? 0 : held.memoryAddress();
    capacity = held == null ? 0 : held.capacity();
  }

  @Override
  public void close() {
    release();
  }
}
