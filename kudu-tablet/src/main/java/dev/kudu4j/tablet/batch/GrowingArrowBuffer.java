package dev.kudu4j.tablet.batch;

import dev.kudu4j.common.memory.Memory;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * One Arrow buffer that is replaced by a larger one when it is full; none until it is needed. Does
 * not know how much of it is in use.
 */
final class GrowingArrowBuffer implements AutoCloseable {
  private static final long MIN_BYTES = 64;

  private final BufferAllocator allocator;
  private ArrowBuf buffer;
  private long address;
  private long capacity;

  GrowingArrowBuffer(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** Where the buffer begins; 0 while there is none. */
  long address() {
    return address;
  }

  long capacity() {
    return capacity;
  }

  /** Makes the buffer hold {@code needed} bytes; the first {@code used} ones are kept. */
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

  /** Exchanges the memory of the two. */
  void swap(GrowingArrowBuffer other) {
    ArrowBuf otherBuffer = other.buffer;
    other.hold(buffer);
    hold(otherBuffer);
  }

  /** The first bytes with a reference of their own, which the caller releases. */
  ArrowBuf share(long bytes) {
    if (bytes == 0) {
      return allocator.getEmpty();
    }
    buffer.getReferenceManager().retain();
    return buffer.slice(0, bytes);
  }

  /** Lets go of memory that somebody else still holds, so that it may be written to afresh. */
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

  private void hold(ArrowBuf held) {
    buffer = held;
    address = held == null ? 0 : held.memoryAddress();
    capacity = held == null ? 0 : held.capacity();
  }

  @Override
  public void close() {
    release();
  }
}
