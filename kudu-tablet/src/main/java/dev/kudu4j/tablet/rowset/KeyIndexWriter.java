package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.GrowingBuffer;
import dev.kudu4j.tablet.file.SealedFileWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes key pages and Bloom chunks. A chunk ends with a key page, so that whoever finds the page
 * finds the chunk; it is sized by the keys that it has. Not thread-safe.
 */
final class KeyIndexWriter implements AutoCloseable {
  /** Keys after which a Bloom chunk ends: about 48 KB. */
  private static final int CHUNK_KEYS = 32 << 10;

  private final SealedFileWriter file;
  private final GrowingBuffer entries;
  private final GrowingBuffer page;
  private final List<KeyIndex.Page> pages = new ArrayList<>();
  private final List<KeyIndex.Chunk> chunks = new ArrayList<>();

  private byte[] previous = new byte[64];
  private int previousLength = -1; // -1 before the first key
  private byte[] firstKey;
  private byte[] separator;
  private int[] restarts = new int[64];
  private int rows; // of the current page
  private int entryBytes;
  private long[] hashes = new long[1024];
  private int hashCount; // of the current chunk
  private int chunkFirstPage;

  /**
   * @param allocator shared
   */
  KeyIndexWriter(SealedFileWriter file, BufferAllocator allocator) {
    this.file = file;
    this.entries = new GrowingBuffer(allocator);
    this.page = new GrowingBuffer(allocator);
  }

  void append(long key, int length) throws IOException {
    int shared = sharedWithPrevious(key, length);
    if (rows > 0 && entryBytes + length - shared > KeyPageFormat.PAGE_BYTES) {
      writePage();
      if (hashCount >= CHUNK_KEYS) {
        writeChunk();
      }
    }
    if (rows == 0) {
      separator = separator(key, length, shared);
    }
    appendEntry(key, length, shared);
    addHash(KeyHash.of(key, length));
    previous = previous.length < length ? new byte[2 * length] : previous;
    Memory.copy(key, previous, 0, length);
    previousLength = length;
    if (firstKey == null) {
      firstKey = Arrays.copyOf(previous, length);
    }
  }

  /** Bytes that the key shares with the one before, which must be below it. */
  private int sharedWithPrevious(long key, int length) {
    int most = Math.min(previousLength, length);
    int shared = 0;
    while (shared < most && Memory.getByte(key + shared) == previous[shared]) {
      shared++;
    }
    boolean above =
        shared < most
            ? (Memory.getByte(key + shared) & 0xff) > (previous[shared] & 0xff)
            : length > previousLength;
    if (!above) {
      throw new IllegalArgumentException(
          "Keys must rise: key %d of the rowset has %d bytes and is not above the one before"
              .formatted(rowsBefore() + rows, length));
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

  /** The shortest beginning of the key that is above the key before. */
  private byte[] separator(long key, int length, int shared) {
    byte[] shortest = new byte[previousLength < 0 ? 0 : Math.min(length, shared + 1)];
    Memory.copy(key, shortest, 0, shortest.length);
    return shortest;
  }

  private void appendEntry(long key, int length, int sharedBytes) {
    int shared = sharedBytes;
    if (rows % KeyPageFormat.ROWS_PER_RESTART == 0) {
      shared = 0;
      int restart = rows / KeyPageFormat.ROWS_PER_RESTART;
      if (restart == restarts.length) {
        restarts = Arrays.copyOf(restarts, 2 * restart);
      }
      restarts[restart] = entryBytes;
    }
    int further = length - shared;
    long start = entries.reserve((long) entryBytes + 10 + further, entryBytes) + entryBytes;
    long at = KeyPageFormat.putVarint(start, shared);
    at = KeyPageFormat.putVarint(at, further);
    Memory.copy(key + shared, at, further);
    entryBytes += (int) (at + further - start);
    rows++;
  }

  private void addHash(long hash) {
    if (hashCount == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * hashCount);
    }
    hashes[hashCount++] = hash;
  }

  private void writePage() throws IOException {
    int header = KeyPageFormat.headerBytes(rows);
    long body = page.reserve((long) header + entryBytes);
    Memory.putInt(body, rows);
    for (int i = 0; i < KeyPageFormat.restarts(rows); i++) {
      Memory.putInt(body + 4 + 4L * i, header + restarts[i]);
    }
    Memory.copy(entries.address(), body + header, entryBytes);
    BlockLocation location =
        file.append(BlockKind.KEY_PAGE, body, header + entryBytes, SealedFileWriter.NEVER);
    pages.add(new KeyIndex.Page(location, rows, separator));
    rows = 0;
    entryBytes = 0;
  }

  private void writeChunk() throws IOException {
    int bytes = BloomChunk.bytesFor(hashCount);
    long filter = page.reserve(bytes);
    Memory.fill(filter, bytes, (byte) 0);
    for (int i = 0; i < hashCount; i++) {
      BloomChunk.add(filter, bytes, hashes[i]);
    }
    BlockLocation location =
        file.append(BlockKind.BLOOM_CHUNK, filter, bytes, SealedFileWriter.NEVER);
    chunks.add(new KeyIndex.Chunk(location, chunkFirstPage));
    chunkFirstPage = pages.size();
    hashCount = 0;
  }

  /** Bytes that are still to be written. */
  long bufferedBytes() {
    return (long) entryBytes + BloomChunk.bytesFor(hashCount);
  }

  /** Writes what is left; returns the top of the index. */
  KeyIndex finish() throws IOException {
    if (rows > 0) {
      writePage();
    }
    if (hashCount > 0) {
      writeChunk();
    }
    byte[] lastKey = previousLength < 0 ? null : Arrays.copyOf(previous, previousLength);
    return new KeyIndex(firstKey, lastKey, pages, chunks);
  }

  @Override
  public void close() {
    entries.close();
    page.close();
  }
}
