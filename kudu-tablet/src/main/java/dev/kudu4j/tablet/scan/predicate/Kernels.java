package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;

/**
 * Loops over fixed-width cells. One comparison serves all integers, signed or not: v is in {@code
 * [low, low + span]} exactly if v - low, as an unsigned number of the same width, is at most span.
 * A cell costs a subtraction and a comparison, without a branch.
 *
 * <p>Each method combines its result with a bitmap by AND. A loop processes 64 cells and then
 * stores one word.
 */
final class Kernels {
  private Kernels() {}

  static void bytesInRange(long address, int rows, int low, int span, long[] mask) {
    for (int from = 0; from < rows; from += 64) {
      int count = Math.min(64, rows - from);
      long at = address + from;
      long word = 0;
      for (int i = 0; i < count; i++) {
        int distance = (Memory.getByte(at + i) - low) & 0xff;
        word |= (distance <= span ? 1L : 0L) << i;
      }
      mask[from >>> 6] &= word;
    }
  }

  static void shortsInRange(long address, int rows, int low, int span, long[] mask) {
    for (int from = 0; from < rows; from += 64) {
      int count = Math.min(64, rows - from);
      long at = address + 2L * from;
      long word = 0;
      for (int i = 0; i < count; i++) {
        int distance = (Memory.getShort(at + 2L * i) - low) & 0xffff;
        word |= (distance <= span ? 1L : 0L) << i;
      }
      mask[from >>> 6] &= word;
    }
  }

  static void intsInRange(long address, int rows, int low, int span, long[] mask) {
    int limit = span + Integer.MIN_VALUE;
    for (int from = 0; from < rows; from += 64) {
      int count = Math.min(64, rows - from);
      long at = address + 4L * from;
      long word = 0;
      for (int i = 0; i < count; i++) {
        int distance = Memory.getInt(at + 4L * i) - low + Integer.MIN_VALUE;
        word |= (distance <= limit ? 1L : 0L) << i;
      }
      mask[from >>> 6] &= word;
    }
  }

  static void longsInRange(long address, int rows, long low, long span, long[] mask) {
    long limit = span + Long.MIN_VALUE;
    for (int from = 0; from < rows; from += 64) {
      int count = Math.min(64, rows - from);
      long at = address + 8L * from;
      long word = 0;
      for (int i = 0; i < count; i++) {
        long distance = Memory.getLong(at + 8L * i) - low + Long.MIN_VALUE;
        word |= (distance <= limit ? 1L : 0L) << i;
      }
      mask[from >>> 6] &= word;
    }
  }

  /** Tests low ≤ v ≤ high as IEEE 754 defines it: a NaN does not match. */
  static void floatsInRange(long address, int rows, double low, double high, long[] mask) {
    for (int from = 0; from < rows; from += 64) {
      int count = Math.min(64, rows - from);
      long at = address + 4L * from;
      long word = 0;
      for (int i = 0; i < count; i++) {
        double value = Memory.getFloat(at + 4L * i);
        word |= ((value >= low ? 1L : 0L) & (value <= high ? 1L : 0L)) << i;
      }
      mask[from >>> 6] &= word;
    }
  }

  /** Tests low ≤ v ≤ high as IEEE 754 defines it: a NaN does not match. */
  static void doublesInRange(long address, int rows, double low, double high, long[] mask) {
    for (int from = 0; from < rows; from += 64) {
      int count = Math.min(64, rows - from);
      long at = address + 8L * from;
      long word = 0;
      for (int i = 0; i < count; i++) {
        double value = Memory.getDouble(at + 8L * i);
        word |= ((value >= low ? 1L : 0L) & (value <= high ? 1L : 0L)) << i;
      }
      mask[from >>> 6] &= word;
    }
  }

  /** Clears the bits of cells that equal none of the sorted raw values. */
  static void keepListed(long address, int width, long[] mask, int rows, long[] sorted) {
    for (int word = 0; word < SelectionBitmap.wordCount(rows); word++) {
      long bits = mask[word];
      while (bits != 0) {
        int row = (word << 6) + Long.numberOfTrailingZeros(bits);
        if (!contains(sorted, raw(address + (long) width * row, width))) {
          mask[word] &= ~(1L << row);
        }
        bits &= bits - 1;
      }
    }
  }

  /** The cell's bits, sign-extended; suitable for equality of signed and unsigned integers. */
  static long raw(long address, int width) {
    return switch (width) {
      case 1 -> Memory.getByte(address);
      case 2 -> Memory.getShort(address);
      case 4 -> Memory.getInt(address);
      default -> Memory.getLong(address);
    };
  }

  private static boolean contains(long[] sorted, long value) {
    int low = 0;
    int high = sorted.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long here = sorted[middle];
      if (here < value) {
        low = middle + 1;
      } else if (here > value) {
        high = middle - 1;
      } else {
        return true;
      }
    }
    return false;
  }
}
