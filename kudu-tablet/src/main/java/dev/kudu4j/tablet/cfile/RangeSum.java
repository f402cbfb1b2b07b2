package dev.kudu4j.tablet.cfile;

import java.util.Arrays;

/**
 * Sums packed numbers within a range, lane by lane ({@link LanePacking}). Each lane has a count and
 * two sums, one for the lower and one for the upper 16 bits of the numbers. No sum overflows an
 * int, because a page has too few rows. Not thread-safe.
 */
final class RangeSum implements PackedNumberVisitor {
  private static final int HALF_BITS = 16;
  private static final int HALF = (1 << HALF_BITS) - 1;

  private final int[] lows = new int[LanePacking.LANES];
  private final int[] highs = new int[LanePacking.LANES];
  private final int[] counts = new int[LanePacking.LANES];
  private int first;
  private int last;
  private long count;
  private long total;

  /**
   * Starts a sum over rows of one page. Both bounds are at least 0; an empty range has {@code
   * rangeFirst > rangeLast}.
   */
  void begin(int rangeFirst, int rangeLast) {
    first = rangeFirst;
    last = rangeLast;
    Arrays.fill(lows, 0);
    Arrays.fill(highs, 0);
    Arrays.fill(counts, 0);
    count = 0;
    total = 0;
  }

  @Override
  public void addStripe(int[] numbers) {
    add(numbers, lows, highs, counts, first, last);
  }

  /**
   * The loop starts at index 0, and all arrays have the same constant length. This allows
   * vectorization.
   */
  private static void add(
      int[] numbers, int[] lows, int[] highs, int[] counts, int first, int last) {
    for (int lane = 0; lane < numbers.length; lane++) {
      int inside = ~((numbers[lane] - first) | (last - numbers[lane])) >> 31; // -1 or 0
      int kept = numbers[lane] & inside;
      counts[lane] -= inside;
      lows[lane] += kept & HALF;
      highs[lane] += kept >>> HALF_BITS;
    }
  }

  @Override
  public void add(int number) {
    if (number >= first && number <= last) {
      count++;
      total += number;
    }
  }

  /** Subtracts a number if it is in the range. */
  void remove(int number) {
    if (number >= first && number <= last) {
      count--;
      total -= number;
    }
  }

  /** Combines the lanes; {@link #count} and {@link #total} are valid afterwards. */
  void finish() {
    long low = 0;
    long high = 0;
    for (int lane = 0; lane < LanePacking.LANES; lane++) {
      count += counts[lane];
      low += lows[lane];
      high += highs[lane];
    }
    total += low + (high << HALF_BITS);
  }

  /** The count of numbers in the range. */
  long count() {
    return count;
  }

  long total() {
    return total;
  }
}
