package dev.kudu4j.tablet.index;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.bloom.BloomChunk;
import dev.kudu4j.tablet.bloom.BloomChunks;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.FooterReader;
import dev.kudu4j.tablet.file.FooterWriter;
import dev.kudu4j.tablet.file.PageBuffer;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.file.SealedFileWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A Bloom filter of the values of a unique index, so that a write probes one cache line of a rowset
 * that does not have its value. The hash of a value selects the chunk.
 *
 * <pre>
 *   footer: chunk count i32 (0 without a filter) | per chunk: offset i64, bytes i32
 * </pre>
 */
public final class EntryFilter {
  /**
   * A chunk has about as many values as one has keys in base data. It takes half as much again,
   * about 64 KB: a write probes the filters of all rowsets, so one value in a thousand may seem to
   * be in a file, not one in a hundred.
   */
  private static final int CHUNK_VALUES = 32 << 10;

  private static final long SPREAD = 0x9e3779b97f4a7c15L;
  private static final int LOCATION_BYTES = 12;

  private final BloomChunks chunks;

  EntryFilter(SealedFile file, List<BlockLocation> locations) {
    this.chunks = new BloomChunks(file, locations);
  }

  /** Depends on other bits than the block within a chunk does. */
  private static int chunkOf(long hash, int count) {
    return (int) ((((hash * SPREAD) >>> 32) * count) >>> 32);
  }

  /** Whether the file may have a value with the hash; true without a filter. */
  public boolean mayContain(long hash) throws IOException {
    return !exists() || chunks.mayContain(chunkOf(hash, chunks.count()), hash);
  }

  /** Whether the file has a filter: those of indexes that are not unique have none. */
  public boolean exists() {
    return chunks.count() > 0;
  }

  /** The locations of the chunks. */
  public List<BlockLocation> locations() {
    return chunks.locations();
  }

  /** Writes the chunks for the hashes of all values. */
  static List<BlockLocation> write(
      SealedFileWriter file, BufferAllocator allocator, long[] hashes, int count)
      throws IOException {
    int chunkCount = Math.max(1, (count + CHUNK_VALUES - 1) / CHUNK_VALUES);
    int[] ends = new int[chunkCount];
    for (int i = 0; i < count; i++) {
      ends[chunkOf(hashes[i], chunkCount)]++;
    }
    for (int chunk = 1; chunk < chunkCount; chunk++) {
      ends[chunk] += ends[chunk - 1];
    }
    long[] grouped = new long[count];
    int[] next = Arrays.copyOf(ends, chunkCount);
    for (int i = 0; i < count; i++) {
      grouped[--next[chunkOf(hashes[i], chunkCount)]] = hashes[i];
    }
    List<BlockLocation> locations = new ArrayList<>();
    try (PageBuffer buffer = new PageBuffer(allocator)) {
      for (int chunk = 0; chunk < chunkCount; chunk++) {
        int from = chunk == 0 ? 0 : ends[chunk - 1];
        int bytes = BloomChunk.bytesFor((ends[chunk] - from) * 3 / 2);
        long bits = buffer.reserve(bytes);
        Memory.fill(bits, bytes, (byte) 0);
        for (int i = from; i < ends[chunk]; i++) {
          BloomChunk.add(bits, bytes, grouped[i]);
        }
        locations.add(file.append(BlockKind.BLOOM_CHUNK, bits, bytes, SealedFileWriter.NEVER));
      }
    }
    return locations;
  }

  static void writeTo(FooterWriter footer, List<BlockLocation> locations) {
    footer.putInt(locations.size());
    for (BlockLocation location : locations) {
      footer.putLong(location.offset()).putInt(location.bytes());
    }
  }

  static List<BlockLocation> readFrom(FooterReader footer) {
    int count = footer.getCount(LOCATION_BYTES);
    List<BlockLocation> locations = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      locations.add(new BlockLocation(footer.getLong(), footer.getInt()));
    }
    return locations;
  }
}
