package dev.kudu4j.tablet.memory;

import org.apache.arrow.memory.BufferAllocator;

/**
 * Off-heap memory that only grows and is released as a whole. Addresses stay valid until {@link
 * #close}. One writer allocates; readers follow addresses that were published to them.
 */
public final class Arena implements AutoCloseable {
  /**
   * @param allocator shared; each chunk is a buffer of it
   */
  public Arena(BufferAllocator allocator, int chunkBytes) {
    throw new UnsupportedOperationException("stub");
  }

  /** The address of {@code bytes} new bytes, 8-aligned, not cleared. May be larger than a chunk. */
  public long allocate(int bytes) {
    throw new UnsupportedOperationException("stub");
  }

  /** Off-heap bytes held, unused tails included. */
  public long bytes() {
    throw new UnsupportedOperationException("stub");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("stub");
  }
}
