package dev.kudu4j.tablet.file;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A block being read: its bytes as stored and, when they were compressed, its body. Not
 * thread-safe.
 */
public final class BlockBuffer implements AutoCloseable {
  final PageBuffer stored;
  final PageBuffer inflated;
  long bodyAddress;
  int bodyBytes;

  /**
   * @param allocator shared
   */
  public BlockBuffer(BufferAllocator allocator) {
    stored = new PageBuffer(allocator);
    inflated = new PageBuffer(allocator);
  }

  /** The body of the block read last; valid until the next read. */
  public long address() {
    return bodyAddress;
  }

  public int bytes() {
    return bodyBytes;
  }

  /** Gives the memory that holds the body to the caller; the body stays where it is. */
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
