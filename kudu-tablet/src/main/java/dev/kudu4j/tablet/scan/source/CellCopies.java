package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Off-heap copies of cells that live as long as a block. Addresses stay valid until {@link #clear},
 * which keeps the memory.
 */
final class CellCopies implements AutoCloseable {
  private static final int CHUNK_BYTES = 16 << 10;

  private final BufferAllocator allocator;
  private final List<ArrowBuf> chunks = new ArrayList<>();
  private int current;
  private long used;

  CellCopies(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  long copy(long address, int length) {
    long to = allocate(length);
    Memory.copy(address, to, length);
    return to;
  }

  long copy(byte[] cell) {
    long to = allocate(cell.length);
    Memory.copy(cell, 0, to, cell.length);
    return to;
  }

  private long allocate(int bytes) {
    while (current < chunks.size() && used + bytes > chunks.get(current).capacity()) {
      current++;
      used = 0;
    }
    if (current == chunks.size()) {
      chunks.add(allocator.buffer(Math.max(bytes, CHUNK_BYTES)));
    }
    long to = chunks.get(current).memoryAddress() + used;
    used += bytes;
    return to;
  }

  void clear() {
    current = 0;
    used = 0;
  }

  @Override
  public void close() {
    chunks.forEach(chunk -> chunk.getReferenceManager().release());
    chunks.clear();
    clear();
  }
}
