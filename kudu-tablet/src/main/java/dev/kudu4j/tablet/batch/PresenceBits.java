package dev.kudu4j.tablet.batch;

import dev.kudu4j.common.memory.Memory;

/**
 * Bitmaps in raw memory: bit i is bit i % 8 of byte i / 8, low bit first.
 *
 * <p>Appending writes eight bytes at a time, starting at the byte in which the bitmap ends, so
 * {@link #SLACK_BYTES} bytes must follow the last byte. Within the last byte, bits beyond the end
 * are zero.
 */
final class PresenceBits {
  static final int SLACK_BYTES = 9;

  private PresenceBits() {}

  static int bytes(int bits) {
    return (bits + 7) >>> 3;
  }

  static boolean get(long bitmap, int index) {
    return (Memory.getByte(bitmap + (index >>> 3)) & (1 << (index & 7))) != 0;
  }

  static void set(long bitmap, int index) {
    long at = bitmap + (index >>> 3);
    Memory.putByte(at, (byte) (Memory.getByte(at) | (1 << (index & 7))));
  }

  static void clear(long bitmap, int index) {
    long at = bitmap + (index >>> 3);
    Memory.putByte(at, (byte) (Memory.getByte(at) & ~(1 << (index & 7))));
  }

  /** Up to 64 bits from {@code first}; reads only bytes that contain some of them. */
  static long read(long bitmap, int first, int count) {
    assert count > 0 && count <= 64;
    long at = bitmap + (first >>> 3);
    int shift = first & 7;
    int bytes = (shift + count + 7) >>> 3;
    long bits;
    if (bytes >= 8) {
      bits = Memory.getLong(at) >>> shift;
      if (bytes == 9) {
        bits |= (long) Memory.getByte(at + 8) << (64 - shift);
      }
    } else {
      bits = 0;
      for (int i = 0; i < bytes; i++) {
        bits |= (Memory.getByte(at + i) & 0xffL) << (8 * i);
      }
      bits >>>= shift;
    }
    return bits & lowBits(count);
  }

  /** Appends up to 64 bits to a bitmap of {@code end} bits. */
  static void append(long bitmap, int end, long bits, int count) {
    assert count >= 0 && count <= 64;
    long at = bitmap + (end >>> 3);
    int shift = end & 7;
    long kept = Memory.getByte(at) & ((1L << shift) - 1);
    long added = bits & lowBits(count);
    Memory.putLong(at, kept | (added << shift));
    Memory.putByte(at + 8, shift == 0 ? 0 : (byte) (added >>> (64 - shift)));
  }

  static void appendOnes(long bitmap, int end, int count) {
    for (int done = 0; done < count; done += 64) {
      append(bitmap, end + done, -1L, Math.min(64, count - done));
    }
  }

  static void appendRange(long bitmap, int end, long from, int first, int count) {
    for (int done = 0; done < count; done += 64) {
      int some = Math.min(64, count - done);
      append(bitmap, end + done, read(from, first + done, some), some);
    }
  }

  /** The bits of {@code bits} selected by {@code mask}, compressed to the low end. */
  static long gather(long bits, long mask) {
    long gathered = 0;
    int to = 0;
    for (long left = mask; left != 0; left &= left - 1) {
      gathered |= ((bits >>> Long.numberOfTrailingZeros(left)) & 1L) << to++;
    }
    return gathered;
  }

  /** A mask of the {@code count} low bits. */
  static long lowBits(int count) {
    return count == 0 ? 0 : -1L >>> (64 - count);
  }
}
