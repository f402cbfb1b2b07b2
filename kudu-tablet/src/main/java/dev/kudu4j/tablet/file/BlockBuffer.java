package dev.kudu4j.tablet.file;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A block being read: its stored bytes and, if they are compressed, its decompressed body. Not
 * thread-safe.
 */
public final class BlockBuffer implements AutoCloseable {
  final PageBuffer stored;
  final PageBuffer inflated;
  long bodyAddress;
  int bodyBytes;

  /**
   * @param allocator allocates the memory; closed by the caller
   */
  public BlockBuffer(BufferAllocator allocator) {
    stored = new PageBuffer(allocator);
    inflated = new PageBuffer(allocator);
  }

  /** The address of the body of the block that was read last; valid until the next read. */
  public long address() {
    return bodyAddress;
  }

  public int bytes() {
    return bodyBytes;
  }

  /** Transfers the memory of the body to the caller; the body's address stays valid. */
  ArrowBuf take() {
    boolean isInflated = inflated.capacity() > 0 && bodyAddress == inflated.address();
    return isInflated ? inflated.take() : stored.take();
  }

  @Override
  public void close() {
    stored.close();
    inflated.close();
    bodyAddress = 0;
    bodyBytes = 0;
  }
}
