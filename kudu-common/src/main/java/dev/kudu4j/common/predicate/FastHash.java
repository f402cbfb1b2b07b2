package dev.kudu4j.common.predicate;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.LittleEndian;

/**
 * FastHash, the hash function of the Bloom filters on the wire, over an array or over memory at an
 * address.
 */
public final class FastHash {
  private static final long M = 0x880355f21e6d1965L;
  private static final byte[] NULL_BYTES = {0x67, 0x16, 0x08, 0x58};
  private static final byte[] EMPTY_BYTES = {(byte) 0xee, 0x7e, (byte) 0xca, 0x7d};

  private FastHash() {}

  public static int hash32(byte[] bytes, int offset, int length, int seed) {
    return fold(hash64(bytes, offset, length, seed & 0xffffffffL));
  }

  public static int hash32(long address, int length, int seed) {
    return fold(hash64(address, length, seed & 0xffffffffL));
  }

  public static long hash64(byte[] bytes, int offset, int length, long seed) {
    if (length == 0) {
      return hash64(EMPTY_BYTES, 0, EMPTY_BYTES.length, seed);
    }
    long h = seed ^ (length * M);
    int at = offset;
    int tail = offset + (length & ~7);
    for (; at < tail; at += 8) {
      h = (h ^ mix(LittleEndian.getLong(bytes, at))) * M;
    }
    if ((length & 7) != 0) {
      long v = 0;
      for (int i = (length & 7) - 1; i >= 0; i--) {
        v = v << 8 | (bytes[at + i] & 0xffL);
      }
      h = (h ^ mix(v)) * M;
    }
    return mix(h);
  }

  public static long hash64(long address, int length, long seed) {
    if (length == 0) {
      return hash64(EMPTY_BYTES, 0, EMPTY_BYTES.length, seed);
    }
    long h = seed ^ (length * M);
    long at = address;
    long tail = address + (length & ~7);
    for (; at < tail; at += 8) {
      h = (h ^ mix(Memory.getLong(at))) * M;
    }
    if ((length & 7) != 0) {
      long v = 0;
      for (int i = (length & 7) - 1; i >= 0; i--) {
        v = v << 8 | (Memory.getByte(at + i) & 0xffL);
      }
      h = (h ^ mix(v)) * M;
    }
    return mix(h);
  }

  /** The hash of NULL. */
  public static long hash64OfNull(long seed) {
    return hash64(NULL_BYTES, 0, NULL_BYTES.length, seed);
  }

  /** Folds a 64-bit hash into 32 bits. */
  public static int fold(long hash64) {
    return (int) (hash64 - (hash64 >>> 32));
  }

  private static long mix(long h) {
    h ^= h >>> 23;
    h *= 0x2127599bf4325c37L;
    return h ^ (h >>> 47);
  }
}
