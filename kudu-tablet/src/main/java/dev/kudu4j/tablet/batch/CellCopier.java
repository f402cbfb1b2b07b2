package dev.kudu4j.tablet.batch;

import dev.kudu4j.common.memory.Memory;

/** Copies cells between columns, with one loop over primitives per cell width. */
final class CellCopier {
  /** Up to this length a loop is faster than a memory copy call. */
  private static final int SHORT_BYTES = 32;

  private CellCopier() {}

  /** Copies one cell; optimized for short cells. Reads and writes no byte outside the cell. */
  static void copy(long from, long to, int bytes) {
    if (bytes > SHORT_BYTES) {
      Memory.copy(from, to, bytes);
      return;
    }
    int i = 0;
    for (; i + 8 <= bytes; i += 8) {
      Memory.putLong(to + i, Memory.getLong(from + i));
    }
    if ((bytes & 4) != 0) {
      Memory.putInt(to + i, Memory.getInt(from + i));
      i += 4;
    }
    if ((bytes & 2) != 0) {
      Memory.putShort(to + i, Memory.getShort(from + i));
      i += 2;
    }
    if ((bytes & 1) != 0) {
      Memory.putByte(to + i, Memory.getByte(from + i));
    }
  }

  /**
   * Copies the cells whose bit is set in {@code word}, contiguously; {@code from} is the address of
   * cell 0.
   */
  static void copySelected(long from, long to, int width, long word) {
    switch (width) {
      case 1 -> copySelected1(from, to, word);
      case 2 -> copySelected2(from, to, word);
      case 4 -> copySelected4(from, to, word);
      case 8 -> copySelected8(from, to, word);
      case 16 -> copySelected16(from, to, word);
      default -> throw new AssertionError("Unsupported cell width of " + width + " bytes");
    }
  }

  private static void copySelected1(long from, long to, long word) {
    long at = to;
    for (long left = word; left != 0; left &= left - 1) {
      Memory.putByte(at++, Memory.getByte(from + Long.numberOfTrailingZeros(left)));
    }
  }

  private static void copySelected2(long from, long to, long word) {
    long at = to;
    for (long left = word; left != 0; left &= left - 1) {
      Memory.putShort(at, Memory.getShort(from + 2L * Long.numberOfTrailingZeros(left)));
      at += 2;
    }
  }

  private static void copySelected4(long from, long to, long word) {
    long at = to;
    for (long left = word; left != 0; left &= left - 1) {
      Memory.putInt(at, Memory.getInt(from + 4L * Long.numberOfTrailingZeros(left)));
      at += 4;
    }
  }

  private static void copySelected8(long from, long to, long word) {
    long at = to;
    for (long left = word; left != 0; left &= left - 1) {
      Memory.putLong(at, Memory.getLong(from + 8L * Long.numberOfTrailingZeros(left)));
      at += 8;
    }
  }

  private static void copySelected16(long from, long to, long word) {
    long at = to;
    for (long left = word; left != 0; left &= left - 1) {
      long cell = from + 16L * Long.numberOfTrailingZeros(left);
      Memory.putLong(at, Memory.getLong(cell));
      Memory.putLong(at + 8, Memory.getLong(cell + 8));
      at += 16;
    }
  }
}
