package dev.kudu4j.tablet.bloom;

import dev.kudu4j.common.memory.Memory;

/**
 * A Bloom filter of about 32 thousand consecutive keys, divided into blocks of 32 bytes. A key uses
 * one block and sets one bit in each of the block's eight 32-bit words, so a probe touches one
 * cache line.
 *
 * <pre>
 *   blocks of 32 bytes       block         = (high 32 bits of the hash * block count) >>> 32
 *                            bit of word w = (low 32 bits of the hash * salt w) >>> 27
 * </pre>
 *
 * <p>All methods are static and work on raw memory. In the file, a chunk is the body of one file
 * block ({@link dev.kudu4j.tablet.file.BlockKind#BLOOM_CHUNK}).
 */
public final class BloomChunk {
  public static final int BLOCK_BYTES = 32;

  /**
   * Bits per two keys, for a false positive rate of 1 %. A filter that is not divided into blocks
   * would need 9.6 bits per key but touch seven cache lines.
   */
  private static final int BITS_OF_TWO_KEYS = 21;

  private static final int SALT_0 = 0x7a3c96b1;
  private static final int SALT_1 = 0x1f83d9ab;
  private static final int SALT_2 = 0xc2b2ae3d;
  private static final int SALT_3 = 0x85ebca6b;
  private static final int SALT_4 = 0x27d4eb2f;
  private static final int SALT_5 = 0x9e3779b1;
  private static final int SALT_6 = 0x5be0cd19;
  private static final int SALT_7 = 0xa54ff53b;

  private BloomChunk() {}

  /** The size of a filter for the number of keys. */
  public static int bytesFor(int keys) {
    long bits = ((long) keys * BITS_OF_TWO_KEYS + 1) / 2;
    int blocks = (int) ((bits + 8 * BLOCK_BYTES - 1) / (8 * BLOCK_BYTES));
    return Math.max(1, blocks) * BLOCK_BYTES;
  }

  private static long block(long filter, int bytes, long hash) {
    long blocks = bytes / BLOCK_BYTES;
    return filter + (((hash >>> 32) * blocks) >>> 32) * BLOCK_BYTES;
  }

  private static int bit(int hash, int salt) {
    return 1 << ((hash * salt) >>> 27);
  }

  /** Adds a key with the hash to the filter. */
  public static void add(long filter, int bytes, long hash) {
    long block = block(filter, bytes, hash);
    int low = (int) hash;
    set(block, bit(low, SALT_0));
    set(block + 4, bit(low, SALT_1));
    set(block + 8, bit(low, SALT_2));
    set(block + 12, bit(low, SALT_3));
    set(block + 16, bit(low, SALT_4));
    set(block + 20, bit(low, SALT_5));
    set(block + 24, bit(low, SALT_6));
    set(block + 28, bit(low, SALT_7));
  }

  private static void set(long word, int bit) {
    Memory.putInt(word, Memory.getInt(word) | bit);
  }

  /** Whether a key with the hash may have been added to the filter. */
  public static boolean mayContain(long filter, int bytes, long hash) {
    long block = block(filter, bytes, hash);
    int low = (int) hash;
    int missing = ~Memory.getInt(block) & bit(low, SALT_0);
    missing |= ~Memory.getInt(block + 4) & bit(low, SALT_1);
    missing |= ~Memory.getInt(block + 8) & bit(low, SALT_2);
    missing |= ~Memory.getInt(block + 12) & bit(low, SALT_3);
    missing |= ~Memory.getInt(block + 16) & bit(low, SALT_4);
    missing |= ~Memory.getInt(block + 20) & bit(low, SALT_5);
    missing |= ~Memory.getInt(block + 24) & bit(low, SALT_6);
    missing |= ~Memory.getInt(block + 28) & bit(low, SALT_7);
    return missing == 0;
  }
}
