package dev.kudu4j.tablet.memory;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Off-heap memory that only grows and is released as a whole. Addresses stay valid until {@link
 * #close}. One writer allocates; readers follow published addresses.
 *
 * <p>Allocates nothing before the first use. Chunks start small and double up to {@code
 * chunkBytes}, because most arenas stay small. An allocation that is large relative to a chunk gets
 * a separate chunk.
 */
public final class Arena implements AutoCloseable {
  private static final int FIRST_CHUNK_BYTES = 16 << 10;

  private final BufferAllocator allocator;
  private final int maxChunkBytes;
  private final List<ArrowBuf> chunks = new ArrayList<>();

  private int nextChunkBytes;
  private long free;
  private long end;
  private volatile long bytes;

  /**
   * @param allocator shared; each chunk is one of its buffers
   */
  public Arena(BufferAllocator allocator, int chunkBytes) {
    this.allocator = allocator;
    this.maxChunkBytes = chunkBytes;
    this.nextChunkBytes = Math.min(FIRST_CHUNK_BYTES, chunkBytes);
  }

  /**
   * Allocates {@code bytes} bytes, 8-aligned and not cleared; returns their address. {@code bytes}
   * may exceed the chunk size.
   */
  public long allocate(int bytes) {
    assert bytes > 0;
    long rounded = (bytes + 7L) & ~7L;
    if (rounded > end - free) {
      if (rounded > nextChunkBytes / 4) {
        return addChunk(rounded).memoryAddress();
      }
      startChunk();
    }
    long address = free;
    free += rounded;
    return address;
  }

  private void startChunk() {
    ArrowBuf chunk = addChunk(nextChunkBytes);
    free = chunk.memoryAddress();
    end = free + chunk.capacity();
    nextChunkBytes = (int) Math.min(2L * nextChunkBytes, maxChunkBytes);
  }

  private ArrowBuf addChunk(long chunkBytes) {
    ArrowBuf chunk = allocator.buffer(chunkBytes);
    assert (chunk.memoryAddress() & 7) == 0;
    chunks.add(chunk);
    addBytes(chunk.capacity());
    return chunk;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void addBytes(long more) {
    bytes += more;
  }

  /** Off-heap bytes in use, including unused ends of chunks. Any thread. */
  public long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    chunks.forEach(ArrowBuf::close);
    chunks.clear();
    free = 0;
    end = 0;
    bytes = 0;
  }
}
