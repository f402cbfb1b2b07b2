package dev.kudu4j.tablet.rowset;

import dev.kudu4j.tablet.cache.Page;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.SealedFile;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The Bloom chunks of a rowset, read through the page cache: chunks that are not probed take no
 * memory. Thread-safe; a probe takes no lock.
 *
 * <p>An insert probes every rowset whose interval covers its key. Therefore the filter remembers
 * chunks without pinning them. While a chunk stays in the cache, most probes skip the cache lookup.
 */
final class RowSetBloomFilter {
  /**
   * One in this many probes looks its chunk up in the cache even if the filter remembers the chunk,
   * so that the cache records the use.
   */
  private static final int PROBES_PER_LOOKUP = 16;

  private final SealedFile file;
  private final KeyIndex index;
  private final AtomicReferenceArray<Page> found;
  private int probes; // an approximate count over all threads

  /**
   * @param file borrowed for the lifetime of the filter
   */
  RowSetBloomFilter(SealedFile file, KeyIndex index) {
    this.file = file;
    this.index = index;
    this.found = new AtomicReferenceArray<>(index.chunkCount());
  }

  /** Whether a key with the hash may be in the key page. */
  boolean mayContain(int keyPage, long hash) throws IOException {
    Page chunk = pin(keyPage);
    try {
      return BloomChunk.mayContain(chunk.address(), chunk.bytes(), hash);
    } finally {
      chunk.unpin();
    }
  }

  /** The chunk that covers the key page. The caller unpins it. */
  Page pin(int keyPage) throws IOException {
    int number = index.chunkOf(keyPage);
    if (++probes % PROBES_PER_LOOKUP != 0) {
      Page chunk = found.getAcquire(number);
      if (chunk != null && chunk.tryPin()) {
        return chunk;
      }
    }
    return lookUp(number);
  }

  private Page lookUp(int number) throws IOException {
    BlockLocation location = index.chunkLocation(number);
    Page chunk = file.pin(BlockKind.BLOOM_CHUNK, location.offset(), location.bytes());
    int bytes = chunk.bytes();
    if (bytes == 0 || bytes % BloomChunk.BLOCK_BYTES != 0) {
      chunk.unpin();
      throw file.broken(
          location.offset(),
          "Bloom chunk: expected a multiple of %d bytes, found %d",
          BloomChunk.BLOCK_BYTES,
          bytes);
    }
    found.setRelease(number, chunk);
    return chunk;
  }
}
