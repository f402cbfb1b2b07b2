package dev.kudu4j.tablet.memory;

import dev.kudu4j.common.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Off-heap scratch memory for one block of rows. Addresses stay valid until {@link #clear}, which
 * keeps the memory for the next block. Not thread-safe.
 */
public final class Scratch implements AutoCloseable {
  private static final int CHUNK_BYTES = 16 << 10;

  private final BufferAllocator allocator;
  private final List<ArrowBuf> chunks = new ArrayList<>();
  private int current = -1; // the current chunk
  private long next; // the first free address in the current chunk
  private long end;

  /**
   * @param allocator allocates the memory; closed by the caller
   */
  public Scratch(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  public long copy(long address, int length) {
    long to = allocate(length);
    switch (length) { // fixed-width cells: a general copy is several times slower
      case 8 -> Memory.putLong(to, Memory.getLong(address));
      case 4 -> Memory.putInt(to, Memory.getInt(address));
      default -> Memory.copy(address, to, length);
    }
    return to;
  }

  public long copy(byte[] cell) {
    long to = allocate(cell.length);
    Memory.copy(cell, 0, to, cell.length);
    return to;
  }

  /** Allocates bytes, not aligned and not cleared; returns their address. */
  public long allocate(int bytes) {
    if (bytes > end - next) {
      nextChunk(bytes);
    }
    long to = next;
    next += bytes;
    return to;
  }

  /** Moves to a chunk with enough space. */
  private void nextChunk(int bytes) {
    do {
      current++;
    } while (current < chunks.size() && bytes > chunks.get(current).capacity());
    if (current == chunks.size()) {
      chunks.add(allocator.buffer(Math.max(bytes, nextChunkBytes())));
    }
    ArrowBuf chunk = chunks.get(current);
    next = chunk.memoryAddress();
    end = next + chunk.capacity();
  }

  /** The size of each new chunk doubles, up to a limit, so large amounts need few chunks. */
  private int nextChunkBytes() {
    return CHUNK_BYTES << Math.min(chunks.size(), 6);
  }

  public void clear() {
    current = -1;
    next = 0;
    end = 0;
  }

  @Override
  public void close() {
    chunks.forEach(chunk -> chunk.getReferenceManager().release());
    chunks.clear();
    clear();
  }
}
