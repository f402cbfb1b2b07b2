package dev.kudu4j.tablet.rowset;

import dev.kudu4j.tablet.cache.Page;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.SealedFile;
import java.io.IOException;

/**
 * The Bloom chunks of a rowset, through the page cache: a part of the key range that nobody touches
 * takes no memory. Thread-safe; a probe takes no lock.
 */
final class BloomFilter {
  private final SealedFile file;
  private final KeyIndex index;

  /**
   * @param file borrowed for as long as this lives
   */
  BloomFilter(SealedFile file, KeyIndex index) {
    this.file = file;
    this.index = index;
  }

  /** Whether the key of that hash may be in the key page. */
  boolean mayContain(int keyPage, long hash) throws IOException {
    BlockLocation location = index.chunkLocation(index.chunkOf(keyPage));
    Page chunk = file.pin(BlockKind.BLOOM_CHUNK, location.offset(), location.bytes());
    try {
      int bytes = chunk.bytes();
      if (bytes == 0 || bytes % BloomChunk.BLOCK_BYTES != 0) {
        throw file.broken(
            location.offset(),
            "Bloom chunk: expected a multiple of %d bytes, found %d",
            BloomChunk.BLOCK_BYTES,
            bytes);
      }
      return BloomChunk.mayContain(chunk.address(), bytes, hash);
    } finally {
      chunk.unpin();
    }
  }
}
