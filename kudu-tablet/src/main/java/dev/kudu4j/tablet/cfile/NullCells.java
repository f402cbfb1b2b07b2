package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.batch.ColumnVector;

/**
 * Overwrites with zeros the placeholder values that encodings store for NULLs, because the cell of
 * a NULL in a {@link ColumnVector} is all zeros.
 */
final class NullCells {
  private NullCells() {}

  /**
   * Overwrites with zeros the cells of decoded rows that are NULL in the bitmap. Text is left
   * alone: a NULL is decoded as an empty string.
   *
   * @param bitmap a page's presence bitmap
   * @param first the row of the page that is row {@code start} of {@code out}
   */
  static void clear(long bitmap, int first, int rows, ColumnVector out, int start) {
    int width = out.type().width();
    if (width == 0) {
      return;
    }
    long cells = out.dataAddress() + (long) start * width;
    int row = 0;
    while (row < rows) {
      int bit = (first + row) & 7;
      int take = Math.min(8 - bit, rows - row);
      int missing = ~(Memory.getByte(bitmap + ((first + row) >>> 3)) >>> bit) & ((1 << take) - 1);
      while (missing != 0) {
        zero(cells + (long) (row + Integer.numberOfTrailingZeros(missing)) * width, width);
        missing &= missing - 1;
      }
      row += take;
    }
  }

  /** Clears the bits in {@code wanted} of NULL rows; bit i is the page's row {@code first + i}. */
  static void retainPresent(long bitmap, int first, int rows, long[] wanted) {
    for (int row = 0; row < rows; ) {
      int bit = (first + row) & 7;
      int take = Math.min(Math.min(8 - bit, 64 - (row & 63)), rows - row);
      long missing = ~(Memory.getByte(bitmap + ((first + row) >>> 3)) >>> bit) & ((1L << take) - 1);
      wanted[row >>> 6] &= ~(missing << row);
      row += take;
    }
  }

  private static void zero(long cell, int width) {
    switch (width) {
      case 1 -> Memory.putByte(cell, (byte) 0);
      case 2 -> Memory.putShort(cell, (short) 0);
      case 4 -> Memory.putInt(cell, 0);
      default -> {
        Memory.putLong(cell, 0);
        if (width == 16) {
          Memory.putLong(cell + 8, 0);
        }
      }
    }
  }
}
