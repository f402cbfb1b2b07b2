package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;

/**
 * The properties of a page that determine the size of integer encodings: range, runs, and steps
 * between rows. One pass over the cells computes them.
 */
final class IntegerProfile {
  private final long flip; // maps unsigned order to the signed order of longs
  private int runs = 1;
  private long smallest;
  private long largest;
  private long smallestStep = Long.MAX_VALUE;
  private long largestStep = Long.MIN_VALUE;

  /**
   * @param cells the address of the cells; there is at least one, and they are integers ({@link
   *     Cells#areIntegers})
   */
  IntegerProfile(DataType type, long cells, int rows) {
    flip = type == DataType.UINT64 ? Long.MIN_VALUE : 0;
    long first = Cells.get(type, cells);
    smallest = first ^ flip;
    largest = first ^ flip;
    boolean signed = isSigned(type);
    switch (type.width()) {
      case 1 -> addBytes(cells, rows, signed, first);
      case 2 -> addShorts(cells, rows, signed, first);
      case 4 -> addInts(cells, rows, signed, first);
      default -> addLongs(cells, rows, first);
    }
    if (rows == 1) {
      smallestStep = 0;
      largestStep = 0;
    }
  }

  private static boolean isSigned(DataType type) {
    return switch (type) {
      case UINT8, UINT16, UINT32, UINT64, BOOL, IS_DELETED -> false;
      default -> true;
    };
  }

  private void addLongs(long cells, int rows, long first) {
    long flip = this.flip;
    long before = first;
    long low = smallest;
    long high = largest;
    long lowStep = smallestStep;
    long highStep = largestStep;
    int changes = 0;
    for (long at = cells + 8; at < cells + 8L * rows; at += 8) {
      long value = Memory.getLong(at);
      long step = value - before;
      low = Math.min(low, value ^ flip);
      high = Math.max(high, value ^ flip);
      lowStep = Math.min(lowStep, step);
      highStep = Math.max(highStep, step);
      changes += step == 0 ? 0 : 1;
      before = value;
    }
    set(low, high, lowStep, highStep, changes);
  }

  private void addInts(long cells, int rows, boolean signed, long first) {
    long sign = signed ? 1L << 31 : 0;
    long before = first;
    long low = smallest;
    long high = largest;
    long lowStep = smallestStep;
    long highStep = largestStep;
    int changes = 0;
    for (long at = cells + 4; at < cells + 4L * rows; at += 4) {
      long value = ((Memory.getInt(at) & 0xffff_ffffL) ^ sign) - sign;
      long step = value - before;
      low = Math.min(low, value);
      high = Math.max(high, value);
      lowStep = Math.min(lowStep, step);
      highStep = Math.max(highStep, step);
      changes += step == 0 ? 0 : 1;
      before = value;
    }
    set(low, high, lowStep, highStep, changes);
  }

  private void addShorts(long cells, int rows, boolean signed, long first) {
    int sign = signed ? 1 << 15 : 0;
    long before = first;
    for (int row = 1; row < rows; row++) {
      int value = ((Memory.getShort(cells + 2L * row) & 0xffff) ^ sign) - sign;
      add(value, value - before);
      before = value;
    }
  }

  private void addBytes(long cells, int rows, boolean signed, long first) {
    int sign = signed ? 1 << 7 : 0;
    long before = first;
    for (int row = 1; row < rows; row++) {
      int value = ((Memory.getByte(cells + row) & 0xff) ^ sign) - sign;
      add(value, value - before);
      before = value;
    }
  }

  private void add(long value, long step) {
    smallest = Math.min(smallest, value);
    largest = Math.max(largest, value);
    smallestStep = Math.min(smallestStep, step);
    largestStep = Math.max(largestStep, step);
    runs += step == 0 ? 0 : 1;
  }

  private void set(long low, long high, long lowStep, long highStep, int changes) {
    smallest = low;
    largest = high;
    smallestStep = lowStep;
    largestStep = highStep;
    runs += changes;
  }

  /** The smallest cell in the type's order. */
  long smallest() {
    return smallest ^ flip;
  }

  /** The difference between the largest and the smallest cell, unsigned. */
  long range() {
    return largest - smallest;
  }

  /** The number of runs of equal cells. */
  int runs() {
    return runs;
  }

  /** The smallest difference between a cell and its predecessor; 0 for a single row. */
  long smallestStep() {
    return smallestStep;
  }

  /** The difference between the largest and the smallest step, unsigned. */
  long stepRange() {
    return largestStep - smallestStep;
  }
}
