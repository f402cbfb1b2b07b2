package dev.kudu4j.tablet.cfile;

import java.util.Arrays;

/**
 * Adds up packed numbers of a range, lane by lane ({@link LanePacking}): each lane has a count, and
 * a sum in two halves of 16 bits of the numbers, of which a page has too few rows to overflow an
 * int. Not thread-safe.
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

  /** Begins with rows of one page; both bounds are at least 0, an empty range has first > last. */
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

  /** Arrays begin at 0 and have as many elements: so the loop becomes vectors. */
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

  /** Takes back a number that was added, if it was. */
  void remove(int number) {
    if (number >= first && number <= last) {
      count--;
      total -= number;
    }
  }

  /** Gathers what the lanes have; then {@link #count} and {@link #total} are right. */
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

  /** Numbers in the range. */
  long count() {
    return count;
  }

  long total() {
    return total;
  }
}
