package dev.kudu4j.common.partition;

import dev.kudu4j.common.schema.LittleEndian;

/** MurmurHash2, the 64-bit variant A: the hash function of hash partitioning. */
public final class MurmurHash2 {
  private static final long M = 0xc6a4a7935bd1e995L;
  private static final int R = 47;

  private MurmurHash2() {}

  /**
   * @param seed unsigned 32-bit number
   */
  public static long hash64(byte[] bytes, int offset, int length, int seed) {
    long h = (seed & 0xffffffffL) ^ (length * M);
    int at = offset;
    int tail = offset + (length & ~7);
    for (; at < tail; at += 8) {
      long k = LittleEndian.getLong(bytes, at) * M;
      k ^= k >>> R;
      h = (h ^ (k * M)) * M;
    }
    if ((length & 7) != 0) {
      long k = 0;
      for (int i = (length & 7) - 1; i >= 0; i--) {
        k = k << 8 | (bytes[at + i] & 0xffL);
      }
      h = (h ^ k) * M;
    }
    h = (h ^ (h >>> R)) * M;
    return h ^ (h >>> R);
  }
}
