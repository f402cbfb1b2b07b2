package dev.kudu4j.tablet.bloom;

import dev.kudu4j.tablet.cache.Page;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.SealedFile;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The Bloom chunks of a file, read through the page cache: chunks that are not probed take no
 * memory. Thread-safe; a probe takes no lock.
 *
 * <p>An insert probes every rowset that may have its key. Therefore the filter remembers chunks
 * without pinning them. While a chunk stays in the cache, most probes skip the cache lookup.
 */
public final class BloomChunks {
  /**
   * One in this many probes looks its chunk up in the cache even if the filter remembers the chunk,
   * so that the cache records the use.
   */
  private static final int PROBES_PER_LOOKUP = 16;

  private final SealedFile file;
  private final List<BlockLocation> locations;
  private final AtomicReferenceArray<Page> found;
  private int probes; // an approximate count over all threads

  /**
   * @param file borrowed for the lifetime of the filter
   */
  public BloomChunks(SealedFile file, List<BlockLocation> locations) {
    this.file = file;
    this.locations = List.copyOf(locations);
    this.found = new AtomicReferenceArray<>(locations.size());
  }

  public List<BlockLocation> locations() {
    return locations;
  }

  public int count() {
    return locations.size();
  }

  /** Whether a key with the hash may have been added to the chunk. */
  public boolean mayContain(int number, long hash) throws IOException {
    Page chunk = pin(number);
    try {
      return BloomChunk.mayContain(chunk.address(), chunk.bytes(), hash);
    } finally {
      chunk.unpin();
    }
  }

  /** The chunk with a number from 0. The caller unpins it. */
  public Page pin(int number) throws IOException {
    if (++probes % PROBES_PER_LOOKUP != 0) {
      Page chunk = found.getAcquire(number);
      if (chunk != null && chunk.tryPin()) {
        return chunk;
      }
    }
    return lookUp(number);
  }

  private Page lookUp(int number) throws IOException {
    BlockLocation location = locations.get(number);
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
