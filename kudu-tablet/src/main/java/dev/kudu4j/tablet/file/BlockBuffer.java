package dev.kudu4j.tablet.file;

import org.apache.arrow.memory.BufferAllocator;

/**
 * What a reader holds of a block: its bytes as stored and, when they were compressed, its body.
 * Kept and reused from block to block. Not thread-safe.
 */
public final class BlockBuffer implements AutoCloseable {
  final GrowingBuffer stored;
  final GrowingBuffer inflated;
  long bodyAddress;
  int bodyBytes;

  /**
   * @param allocator shared
   */
  public BlockBuffer(BufferAllocator allocator) {
    stored = new GrowingBuffer(allocator);
    inflated = new GrowingBuffer(allocator);
  }

  /** The body of the block read last; valid until the next read. */
  public long address() {
    return bodyAddress;
  }

  public int bytes() {
    return bodyBytes;
  }

  @Override
  public void close() {
    stored.close();
    inflated.close();
    bodyAddress = 0;
    bodyBytes = 0;
  }
}
