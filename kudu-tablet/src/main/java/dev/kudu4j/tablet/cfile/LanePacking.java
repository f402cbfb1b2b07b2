package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;

/**
 * Unsigned numbers of a fixed width in bits, distributed over {@value #LANES} lanes of 32-bit
 * words.
 *
 * <p>A <em>stripe</em> is {@value #LANES} consecutive rows, one in each lane. Stripe k occupies the
 * bits {@code [k * bits, (k + 1) * bits)} of every lane, low bits first. Words with the same
 * position in their lanes are adjacent:
 *
 * <pre>
 *   word row 0: word 0 of lane 0 | word 0 of lane 1 | ... | word 0 of lane 255        1024 bytes
 *   word row 1: word 1 of lane 0 | ...
 * </pre>
 *
 * <p>Extracting a stripe takes the same shift and mask for all lanes. The compiler vectorizes this
 * loop, and its results are in row order. The last stripe may be padded with zeros.
 */
final class LanePacking {
  static final int LANES = 256;

  /**
   * Numbers of at most this width are nonnegative ints, so they can be compared by subtraction
   * without overflow.
   */
  static final int MAX_BITS = 31;

  /**
   * Pages with fewer rows are packed by {@link BitPacking}, because every lane takes whole words.
   */
  static final int MIN_ROWS = 2048;

  /** The number of stripes that are filtered together. */
  static final int CHUNK = 16;

  static final int WORD_ROW_BYTES = 4 * LANES;

  private LanePacking() {}

  /** Whether a page of {@code rows} numbers is packed in lanes. */
  static boolean fits(int rows, int bits) {
    return rows >= MIN_ROWS && bits <= MAX_BITS;
  }

  static long packedBytes(int rows, int bits) {
    long stripes = ((long) rows + LANES - 1) / LANES;
    return ((stripes * bits + 31) >>> 5) * WORD_ROW_BYTES;
  }

  private static long wordAddress(long packed, int wordRow, int row) {
    return packed + (long) wordRow * WORD_ROW_BYTES + 4L * (row & (LANES - 1));
  }

  /** Writes one number into zeroed memory. */
  static void put(long packed, int bits, int row, int value) {
    int bit = (row / LANES) * bits;
    long at = wordAddress(packed, bit >>> 5, row);
    int shift = bit & 31;
    Memory.putInt(at, Memory.getInt(at) | value << shift);
    if (shift + bits > 32) {
      Memory.putInt(at + WORD_ROW_BYTES, value >>> (32 - shift));
    }
  }

  static int get(long packed, int bits, int row) {
    int bit = (row / LANES) * bits;
    long at = wordAddress(packed, bit >>> 5, row);
    int shift = bit & 31;
    int value = bits == 0 ? 0 : Memory.getInt(at) >>> shift;
    if (shift + bits > 32) {
      value |= Memory.getInt(at + WORD_ROW_BYTES) << (32 - shift);
    }
    return value & (int) BitPacking.mask(bits);
  }

  // The following loops run over arrays from index 0 to LANES, which allows vectorization.

  static void unpack(int[] words, int[] out, int shift, int mask) {
    for (int lane = 0; lane < out.length; lane++) {
      out[lane] = (words[lane] >>> shift) & mask;
    }
  }

  /** Unpacks numbers that span two words; the shift is not 0. */
  static void unpack(int[] words, int[] next, int[] out, int shift, int mask) {
    int back = 32 - shift;
    for (int lane = 0; lane < out.length; lane++) {
      out[lane] = ((words[lane] >>> shift) | (next[lane] << back)) & mask;
    }
  }

  /**
   * Writes 1 for each number in {@code [low, high]} and 0 for the others; both bounds are at least
   * 0.
   */
  static void inRange(int[] numbers, int[] out, int low, int high) {
    for (int lane = 0; lane < out.length; lane++) {
      out[lane] = ~((numbers[lane] - low) | (high - numbers[lane])) >>> 31;
    }
  }

  static void unpackInRange(int[] words, int[] out, int shift, int mask, int low, int high) {
    for (int lane = 0; lane < out.length; lane++) {
      int number = (words[lane] >>> shift) & mask;
      out[lane] = ~((number - low) | (high - number)) >>> 31;
    }
  }

  static void unpackInRange(
      int[] words, int[] next, int[] out, int shift, int mask, int low, int high) {
    int back = 32 - shift;
    for (int lane = 0; lane < out.length; lane++) {
      int number = ((words[lane] >>> shift) | (next[lane] << back)) & mask;
      out[lane] = ~((number - low) | (high - number)) >>> 31;
    }
  }

  static void add(int[] numbers, int base) {
    for (int lane = 0; lane < numbers.length; lane++) {
      numbers[lane] += base;
    }
  }

  /** Sets bit {@code stripe} of each lane whose number is in {@code [low, high]}. */
  static void collectInRange(
      int[] words, int[] bits, int shift, int mask, int low, int high, int stripe) {
    for (int lane = 0; lane < bits.length; lane++) {
      int number = (words[lane] >>> shift) & mask;
      bits[lane] |= (~((number - low) | (high - number)) >>> 31) << stripe;
    }
  }

  static void collectInRange(
      int[] words, int[] next, int[] bits, int shift, int mask, int low, int high, int stripe) {
    int back = 32 - shift;
    for (int lane = 0; lane < bits.length; lane++) {
      int number = ((words[lane] >>> shift) | (next[lane] << back)) & mask;
      bits[lane] |= (~((number - low) | (high - number)) >>> 31) << stripe;
    }
  }

  /**
   * Ands the bits of {@value #CHUNK} stripes into a bitmap in row order. It handles 64 lanes at a
   * time: word i of {@code square} takes the lanes i, i + 16, i + 32 and i + 48. The words are four
   * 16 by 16 bit matrices, which are transposed together.
   *
   * @param bits bit s of {@code bits[lane]} is the result for the row of this lane in stripe s
   * @param square {@value #CHUNK} words of scratch space
   */
  static void retainChunk(int[] bits, long[] square, long[] mask, int word) {
    for (int part = 0; part < 4; part++) {
      int lane = 64 * part;
      for (int i = 0; i < CHUNK; i++) {
        square[i] =
            (bits[lane + i] & 0xffffL)
                | (bits[lane + i + 16] & 0xffffL) << 16
                | (bits[lane + i + 32] & 0xffffL) << 32
                | (long) bits[lane + i + 48] << 48;
      }
      transpose(square);
      for (int stripe = 0; stripe < CHUNK; stripe++) {
        mask[word + 4 * stripe + part] &= square[stripe];
      }
    }
  }

  /** Transposes four 16 by 16 bit matrices; each word holds one row of all four. */
  private static void transpose(long[] square) {
    swap(square, 8, 0x00ff00ff00ff00ffL);
    swap(square, 4, 0x0f0f0f0f0f0f0f0fL);
    swap(square, 2, 0x3333333333333333L);
    swap(square, 1, 0x5555555555555555L);
  }

  private static void swap(long[] square, int distance, long low) {
    for (int block = 0; block < CHUNK; block += 2 * distance) {
      for (int i = block; i < block + distance; i++) {
        long differ = ((square[i] >>> distance) ^ square[i + distance]) & low;
        square[i + distance] ^= differ;
        square[i] ^= differ << distance;
      }
    }
  }

  /** Ands a stripe of zeros and ones into four words of a bitmap. */
  static void retain(int[] ones, long[] mask, int word) {
    long a = 0;
    long b = 0;
    long c = 0;
    long d = 0;
    for (int i = 0; i < 64; i++) {
      a |= (long) ones[i] << i;
      b |= (long) ones[i + 64] << i;
      c |= (long) ones[i + 128] << i;
      d |= (long) ones[i + 192] << i;
    }
    mask[word] &= a;
    mask[word + 1] &= b;
    mask[word + 2] &= c;
    mask[word + 3] &= d;
  }
}
