package dev.kudu4j.common.predicate;

import dev.kudu4j.common.schema.LittleEndian;

/**
 * The split-block Bloom filter of the wire protocol: 32-byte blocks of eight little-endian words,
 * hashed with FastHash.
 *
 * <p>A value sets one bit in each word of one block, so a lookup reads one cache line.
 *
 * @param logSpaceBytes log2 of the size of {@code data}
 * @param data the blocks
 * @param alwaysFalse true if no value was inserted; then nothing matches
 * @param hashSeed seed of the hash
 */
public record BlockBloomFilter(int logSpaceBytes, byte[] data, boolean alwaysFalse, int hashSeed) {
  private static final int LOG_BLOCK_BYTES = 5;
  private static final int[] SALTS = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
  };

  public BlockBloomFilter {
    if (logSpaceBytes < LOG_BLOCK_BYTES
        || logSpaceBytes > 30
        || data.length != 1 << logSpaceBytes) {
      throw new IllegalArgumentException(
          "A Bloom filter of 2^" + logSpaceBytes + " bytes cannot hold " + data.length + " bytes");
    }
  }

  /** An empty filter. {@link #with} returns a copy that contains values. */
  public static BlockBloomFilter empty(int logSpaceBytes, int hashSeed) {
    return new BlockBloomFilter(logSpaceBytes, new byte[1 << logSpaceBytes], true, hashSeed);
  }

  /**
   * Whether the set may contain a value with this hash ({@code FastHash.hash32} of the cell form
   * with {@link #hashSeed}).
   */
  public boolean mayContain(int hash) {
    if (alwaysFalse) {
      return false;
    }
    int block = blockOffset(hash, data.length);
    for (int i = 0; i < SALTS.length; i++) {
      int word = LittleEndian.getInt(data, block + (i << 2));
      if ((word >>> bit(i, hash) & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether the set may contain the cell, in cell form at {@code [offset, offset + length)}. */
  public boolean mayContainCell(byte[] cell, int offset, int length) {
    return mayContain(FastHash.hash32(cell, offset, length, hashSeed));
  }

  /** This filter with the cells inserted. */
  public BlockBloomFilter with(Iterable<byte[]> cells) {
    byte[] filled = data.clone();
    boolean empty = alwaysFalse;
    for (byte[] cell : cells) {
      insert(filled, FastHash.hash32(cell, 0, cell.length, hashSeed));
      empty = false;
    }
    return new BlockBloomFilter(logSpaceBytes, filled, empty, hashSeed);
  }

  /**
   * Sets the bits of a value's hash in {@code blocks}, the size of which must be a power of two.
   */
  public static void insert(byte[] blocks, int hash) {
    int block = blockOffset(hash, blocks.length);
    for (int i = 0; i < SALTS.length; i++) {
      int at = block + (i << 2);
      LittleEndian.putInt(blocks, at, LittleEndian.getInt(blocks, at) | 1 << bit(i, hash));
    }
  }

  private static int blockOffset(int hash, int bytes) {
    long spread = (hash & 0xffffffffL) * 0x7850f11ec6d14889L + 0x6773610597ca4c63L;
    int blockMask = (bytes >>> LOG_BLOCK_BYTES) - 1;
    return ((int) (spread >>> 32) & blockMask) << LOG_BLOCK_BYTES;
  }

  private static int bit(int word, int hash) {
    return (SALTS[word] * hash) >>> 27;
  }
}
