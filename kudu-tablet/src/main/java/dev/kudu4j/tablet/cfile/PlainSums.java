package dev.kudu4j.tablet.cfile;

import dev.kudu4j.common.memory.Memory;
import org.jspecify.annotations.Nullable;

/**
 * Sums plain 8-byte cells in one pass that also evaluates the filter. The pass is limited by memory
 * bandwidth, so storing intermediate results would slow it down.
 */
final class PlainSums {
  /**
   * Rows per loop. The compiler vectorizes reads from raw memory only if the loop bound is a
   * constant, which proves that the index stays small.
   */
  private static final int STEP = 256;

  /** The largest absolute value for which one loop is summed without overflow checks. */
  private static final long LARGEST = Long.MAX_VALUE / STEP;

  private PlainSums() {}

  /**
   * Sums longs.
   *
   * @param min a lower bound of the page's numbers
   * @param max an upper bound of the page's numbers
   * @return false if the filter is not a range, or if sums of numbers within the bounds can
   *     overflow
   */
  static boolean addLongs(
      long cells, int count, @Nullable CellFilter cellFilter, long min, long max, CellSum sum) {
    if (cellFilter != null && !cellFilter.isIntegerRange()) {
      return false;
    }
    long first = cellFilter == null ? min : Math.max(min, cellFilter.lowInteger());
    long last = cellFilter == null ? max : Math.min(max, cellFilter.highInteger());
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

  /**
   * Adds the cells in {@code [first, last]}. The signs of the differences are right even if the
   * differences wrap around, because the range covers less than half of all longs.
   */
  private static void addStep(long cells, long first, long last, CellSum sum) {
    long total = 0;
    long outside = 0;
    for (int i = 0; i < STEP; i++) {
      long value = Memory.getLong(cells + 8L * i);
      long mask = ((value - first) | (last - value)) >> 63; // -1 if outside the range
      outside += mask;
      total += value & ~mask;
    }
    sum.addRows(STEP + outside);
    sum.add(total);
  }

  /** Sums doubles; returns false if the filter is not a range. */
  static boolean addDoubles(long cells, int count, @Nullable CellFilter cellFilter, CellSum sum) {
    if (cellFilter != null && !cellFilter.isFloatingRange()) {
      return false;
    }
    double low = cellFilter == null ? Double.NEGATIVE_INFINITY : cellFilter.lowDouble();
    double high = cellFilter == null ? Double.POSITIVE_INFINITY : cellFilter.highDouble();
    int done = 0;
    for (; done + STEP <= count; done += STEP) {
      if (cellFilter == null) {
        sum.addRows(STEP);
        sum.add(total(cells + 8L * done));
      } else {
        addStep(cells + 8L * done, low, high, sum);
      }
    }
    for (; done < count; done++) {
      double value = Memory.getDouble(cells + 8L * done);
      // Without a filter, a NaN is added as well.
      if (cellFilter == null || isWithin(value, low, high) != 0) {
        sum.addRows(1);
        sum.add(value);
      }
    }
    return true;
  }

  /** Uses four accumulators, because additions to a single one would wait for each other. */
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

  /** The value if {@code one} is 1, zero if it is 0; computed without a branch. */
  private static double kept(double value, long one) {
    return Double.longBitsToDouble(Double.doubleToRawLongBits(value) & -one);
  }
}
