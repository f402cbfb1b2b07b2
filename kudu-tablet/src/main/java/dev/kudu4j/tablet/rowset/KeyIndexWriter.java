package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.bloom.BloomChunk;
import dev.kudu4j.tablet.bloom.KeyHash;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.PageBuffer;
import dev.kudu4j.tablet.file.SealedFileWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Writes key pages and Bloom chunks. A chunk always ends with a key page, so each key page belongs
 * to one chunk. The size of a chunk depends on its actual number of keys. Not thread-safe.
 */
final class KeyIndexWriter implements AutoCloseable {
  /**
   * The saving in percent that justifies compression. It is low, because the page cache keeps pages
   * decompressed and only a cache miss pays for decompression.
   */
  private static final int MIN_SAVING_PERCENT = 10;

  /**
   * A Bloom chunk ends with the key page in which it reaches this number of keys; it then takes
   * about 42 KB.
   */
  private static final int CHUNK_KEYS = 32 << 10;

  private final SealedFileWriter file;
  private final KeyPageBuilder page;
  private final PageBuffer filter;
  private final List<KeyIndex.Page> pages = new ArrayList<>();
  private final List<KeyIndex.Chunk> chunks = new ArrayList<>();

  private byte[] previous = new byte[64];
  private int previousLength = -1; // -1 before the first key
  private byte @Nullable [] firstKey; // null before the first key
  private byte[] separator = {}; // of the current page
  private long[] hashes = new long[1024];
  private int hashCount; // of the current chunk
  private int chunkFirstPage;

  /**
   * @param allocator allocates the memory; closed by the caller
   */
  KeyIndexWriter(SealedFileWriter file, BufferAllocator allocator) {
    this.file = file;
    this.page = new KeyPageBuilder(allocator);
    this.filter = new PageBuffer(allocator);
  }

  void append(long key, int length) throws IOException {
    int shared = sharedWithPrevious(key, length);
    if (!page.hasRoom(length, shared)) {
      writePage();
      if (hashCount >= CHUNK_KEYS) {
        writeChunk();
      }
    }
    if (page.rows() == 0) {
      separator = separator(key, length, shared);
    }
    page.add(key, length, shared);
    addHash(KeyHash.of(key, length));
    previous = previous.length < length ? new byte[2 * length] : previous;
    Memory.copy(key, previous, 0, length);
    previousLength = length;
    if (firstKey == null) {
      firstKey = Arrays.copyOf(previous, length);
    }
  }

  /** The length of the prefix shared with the previous key, which must be below this key. */
  private int sharedWithPrevious(long key, int length) {
    int max = Math.min(previousLength, length);
    int shared = 0;
    while (shared < max && Memory.getByte(key + shared) == previous[shared]) {
      shared++;
    }
    boolean above =
        shared < max
            ? (Memory.getByte(key + shared) & 0xff) > (previous[shared] & 0xff)
            : length > previousLength;
    if (!above) {
      throw new IllegalArgumentException(
          "Keys must be in ascending order: key %d (%d bytes) is not above the previous key"
              .formatted(rowsBefore() + page.rows(), length));
    }
    return Math.max(0, shared);
  }

  private long rowsBefore() {
    long before = 0;
    for (KeyIndex.Page written : pages) {
      before += written.rowCount;
    }
    return before;
  }

  /** The shortest prefix of the key that is above the previous key. */
  private byte[] separator(long key, int length, int shared) {
    byte[] shortest = new byte[previousLength < 0 ? 0 : Math.min(length, shared + 1)];
    Memory.copy(key, shortest, 0, shortest.length);
    return shortest;
  }

  private void addHash(long hash) {
    if (hashCount == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * hashCount);
    }
    hashes[hashCount++] = hash;
  }

  private void writePage() throws IOException {
    long body = page.build();
    BlockLocation location =
        file.append(BlockKind.KEY_PAGE, body, page.pageBytes(), MIN_SAVING_PERCENT);
    pages.add(new KeyIndex.Page(location, page.rows(), separator));
    page.clear();
  }

  private void writeChunk() throws IOException {
    int bytes = BloomChunk.bytesFor(hashCount);
    long bits = filter.reserve(bytes);
    Memory.fill(bits, bytes, (byte) 0);
    for (int i = 0; i < hashCount; i++) {
      BloomChunk.add(bits, bytes, hashes[i]);
    }
    BlockLocation location =
        file.append(BlockKind.BLOOM_CHUNK, bits, bytes, SealedFileWriter.NEVER);
    chunks.add(new KeyIndex.Chunk(location, chunkFirstPage));
    chunkFirstPage = pages.size();
    hashCount = 0;
  }

  /** The number of bytes that are not written yet. */
  long bufferedBytes() {
    return (long) page.bytes() + BloomChunk.bytesFor(hashCount);
  }

  /** Writes the remaining keys and returns the top level of the index. */
  KeyIndex finish() throws IOException {
    if (page.rows() > 0) {
      writePage();
    }
    if (hashCount > 0) {
      writeChunk();
    }
    byte @Nullable [] lastKey = previousLength < 0 ? null : Arrays.copyOf(previous, previousLength);
    return new KeyIndex(firstKey, lastKey, pages, chunks);
  }

  @Override
  public void close() {
    page.close();
    filter.close();
  }
}
