package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;

/**
 * Bit-packed unsigned numbers of a fixed width, in row order, low bits first. Eight zero bytes
 * follow the last number, which allows one unaligned load per number.
 *
 * <p>The maximum width is {@value #MAX_BITS} bits. A wider number can start in the middle of a byte
 * and span nine bytes.
 */
final class BitPacking {
  static final int MAX_BITS = 56;
  static final int SLACK_BYTES = 8;

  private BitPacking() {}

  /** The number of bits that hold every number up to {@code largest} (unsigned). */
  static int bitsFor(long largest) {
    return 64 - Long.numberOfLeadingZeros(largest);
  }

  static long mask(int bits) {
    return (1L << bits) - 1;
  }

  /** The size of {@code count} packed numbers, including the slack. */
  static long packedBytes(long count, int bits) {
    return ((count * bits + 7) >>> 3) + SLACK_BYTES;
  }

  /** Writes one number into zeroed memory. */
  static void put(long packed, int bits, int index, long value) {
    long bit = (long) index * bits;
    long at = packed + (bit >>> 3);
    Memory.putLong(at, Memory.getLong(at) | value << (bit & 7));
  }

  static long get(long packed, int bits, int index) {
    long bit = (long) index * bits;
    return Memory.getLong(packed + (bit >>> 3)) >>> (bit & 7) & mask(bits);
  }

  /** Unpacks numbers of at most 31 bits to {@code out[at..]}. */
  static void unpack(long packed, int bits, int first, int[] out, int at, int count) {
    long bit = (long) first * bits;
    int mask = (int) mask(bits);
    for (int i = at; i < at + count; i++, bit += bits) {
      out[i] = (int) (Memory.getLong(packed + (bit >>> 3)) >>> (bit & 7)) & mask;
    }
  }

  /** Unpacks to 8-byte cells and adds {@code base} to each. */
  static void unpackLongs(long packed, int bits, int first, int count, long base, long to) {
    long bit = (long) first * bits;
    long mask = mask(bits);
    for (long at = to; at < to + 8L * count; at += 8, bit += bits) {
      Memory.putLong(at, base + (Memory.getLong(packed + (bit >>> 3)) >>> (bit & 7) & mask));
    }
  }

  static void unpackInts(long packed, int bits, int first, int count, int base, long to) {
    long bit = (long) first * bits;
    int mask = (int) mask(bits);
    for (long at = to; at < to + 4L * count; at += 4, bit += bits) {
      Memory.putInt(at, base + ((int) (Memory.getLong(packed + (bit >>> 3)) >>> (bit & 7)) & mask));
    }
  }

  static void unpackShorts(long packed, int bits, int first, int count, int base, long to) {
    long bit = (long) first * bits;
    int mask = (int) mask(bits);
    for (long at = to; at < to + 2L * count; at += 2, bit += bits) {
      int delta = (int) (Memory.getLong(packed + (bit >>> 3)) >>> (bit & 7)) & mask;
      Memory.putShort(at, (short) (base + delta));
    }
  }

  static void unpackBytes(long packed, int bits, int first, int count, int base, long to) {
    long bit = (long) first * bits;
    int mask = (int) mask(bits);
    for (long at = to; at < to + count; at++, bit += bits) {
      int delta = (int) (Memory.getLong(packed + (bit >>> 3)) >>> (bit & 7)) & mask;
      Memory.putByte(at, (byte) (base + delta));
    }
  }
}
