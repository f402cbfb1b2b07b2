package dev.kudu4j.tablet.rowset;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.file.BlockBuffer;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.SealedFile;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The Bloom chunks of a rowset that have been asked for, off heap: a part of the key range that
 * nobody touches takes no memory. Chunks stay until {@link #close}. Thread-safe; a probe takes no
 * lock.
 */
final class BloomFilter implements AutoCloseable {
  private final SealedFile file;
  private final KeyIndex index;
  private final BufferAllocator allocator;
  private final AtomicReferenceArray<ArrowBuf> chunks;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param file borrowed for as long as this lives
   * @param allocator shared
   */
  BloomFilter(SealedFile file, KeyIndex index, BufferAllocator allocator) {
    this.file = file;
    this.index = index;
    this.allocator = allocator;
    this.chunks = new AtomicReferenceArray<>(index.chunkCount());
  }

  /** Whether the key of that hash may be in the key page. */
  boolean mayContain(int keyPage, long hash) throws IOException {
    int chunk = index.chunkOf(keyPage);
    ArrowBuf filter = chunks.get(chunk);
    if (filter == null) {
      filter = load(chunk);
    }
    return BloomChunk.mayContain(filter.memoryAddress(), (int) filter.writerIndex(), hash);
  }

  private synchronized ArrowBuf load(int chunk) throws IOException {
    ArrowBuf known = chunks.get(chunk);
    if (known != null) {
      return known;
    }
    if (closed) {
      throw new IllegalStateException("Bloom filter used after close: " + file.name());
    }
    BlockLocation location = index.chunkLocation(chunk);
    try (BlockBuffer block = new BlockBuffer(allocator)) {
      file.read(BlockKind.BLOOM_CHUNK, location.offset(), location.bytes(), block);
      int bytes = block.bytes();
      if (bytes == 0 || bytes % BloomChunk.BLOCK_BYTES != 0) {
        throw file.broken(
            location.offset(),
            "Bloom chunk: expected a multiple of %d bytes, found %d",
            BloomChunk.BLOCK_BYTES,
            bytes);
      }
      ArrowBuf filter = allocator.buffer(bytes);
      Memory.copy(block.address(), filter.memoryAddress(), bytes);
      filter.writerIndex(bytes);
      chunks.set(chunk, filter);
      return filter;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    for (int i = 0; i < chunks.length(); i++) {
      ArrowBuf filter = chunks.getAndSet(i, null);
      if (filter != null) {
        filter.close();
      }
    }
  }
}
