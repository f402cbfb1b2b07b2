package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;

/**
 * Sums of plain cells of 8 bytes, read once where they lie and tested on the way: there is no time
 * to write anything down that comes from memory at that rate.
 */
final class PlainSums {
  /**
   * Rows of a loop. A constant: the compiler makes vectors of reads from raw memory only where it
   * knows that the index stays small.
   */
  private static final int STEP = 256;

  /** So many numbers of at most that size are added up without a look at overflow. */
  private static final long LARGEST = Long.MAX_VALUE / STEP;

  private PlainSums() {}

  /**
   * Adds up longs.
   *
   * @param least at or below every number of the page
   * @param most at or above
   * @return false when the test is no range, or sums of such numbers overflow
   */
  static boolean addLongs(
      long cells, int count, CellFilter test, long least, long most, CellSum sum) {
    if (test != null && !test.isIntegerRange()) {
      return false;
    }
    long first = test == null ? least : Math.max(least, test.firstInteger());
    long last = test == null ? most : Math.min(most, test.lastInteger());
    if (first > last) {
      return true;
    }
    if (first < -LARGEST || last > LARGEST) {
      return false;
    }
    int done = 0;
    for (; done + STEP <= count; done += STEP) {
      addStep(cells + 8L * done, first, last, sum);
    }
    for (; done < count; done++) {
      long value = Memory.getLong(cells + 8L * done);
      if (value >= first && value <= last) {
        sum.addRows(1);
        sum.add(value);
      }
    }
    return true;
  }

  /** The differences tell also where they wrap around, since the range is not half of all longs. */
  private static void addStep(long cells, long first, long last, CellSum sum) {
    long total = 0;
    long outside = 0;
    for (int i = 0; i < STEP; i++) {
      long value = Memory.getLong(cells + 8L * i);
      long mask = ((value - first) | (last - value)) >> 63; // -1 when outside
      outside += mask;
      total += value & ~mask;
    }
    sum.addRows(STEP + outside);
    sum.add(total);
  }

  /** False when the test is no range. */
  static boolean addDoubles(long cells, int count, CellFilter test, CellSum sum) {
    if (test != null && !test.isFloatingRange()) {
      return false;
    }
    double low = test == null ? Double.NEGATIVE_INFINITY : test.lowDouble();
    double high = test == null ? Double.POSITIVE_INFINITY : test.highDouble();
    int done = 0;
    for (; done + STEP <= count; done += STEP) {
      if (test == null) {
        sum.addRows(STEP);
        sum.add(total(cells + 8L * done));
      } else {
        addStep(cells + 8L * done, low, high, sum);
      }
    }
    for (; done < count; done++) {
      double value = Memory.getDouble(cells + 8L * done);
      if (test == null || isWithin(value, low, high) != 0) { // without a test a NaN counts
        sum.addRows(1);
        sum.add(value);
      }
    }
    return true;
  }

  /** In four parts, since an addition has to wait for the one before. */
  private static double total(long cells) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    for (int i = 0; i < STEP; i += 4) {
      long at = cells + 8L * i;
      a += Memory.getDouble(at);
      b += Memory.getDouble(at + 8);
      c += Memory.getDouble(at + 16);
      d += Memory.getDouble(at + 24);
    }
    return (a + b) + (c + d);
  }

  private static void addStep(long cells, double low, double high, CellSum sum) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    long rows = 0;
    for (int i = 0; i < STEP; i += 4) {
      long at = cells + 8L * i;
      double w = Memory.getDouble(at);
      double x = Memory.getDouble(at + 8);
      double y = Memory.getDouble(at + 16);
      double z = Memory.getDouble(at + 24);
      long keepW = isWithin(w, low, high);
      long keepX = isWithin(x, low, high);
      long keepY = isWithin(y, low, high);
      long keepZ = isWithin(z, low, high);
      rows += keepW + keepX + keepY + keepZ;
      a += kept(w, keepW);
      b += kept(x, keepX);
      c += kept(y, keepY);
      d += kept(z, keepZ);
    }
    sum.addRows(rows);
    sum.add((a + b) + (c + d));
  }

  private static long isWithin(double value, double low, double high) {
    return (value >= low ? 1L : 0L) & (value <= high ? 1L : 0L);
  }

  /** The number, or zero; without a branch. */
  private static double kept(double value, long one) {
    return Double.longBitsToDouble(Double.doubleToRawLongBits(value) & -one);
  }
}
