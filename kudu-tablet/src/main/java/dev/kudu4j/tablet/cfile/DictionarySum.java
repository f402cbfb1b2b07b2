package dev.kudu4j.tablet.cfile;

import dev.kudu4j.tablet.batch.NumberVector;
import java.util.Arrays;

/**
 * Sums the dictionary entries of a page's rows. An entry that does not match the filter is replaced
 * by zero, once per page. Each row then costs one look-up and one addition. Not thread-safe.
 */
final class DictionarySum implements PackedNumberVisitor {
  /**
   * The largest absolute value for which a stripe ({@link LanePacking}) is summed without overflow
   * checks.
   */
  private static final long LARGEST = Long.MAX_VALUE / LanePacking.LANES;

  private final int[] counts = new int[LanePacking.LANES];
  private long[] exact = {};
  private double[] floating = {};
  private boolean isFloating;
  private boolean fits;
  private int first;
  private int last;

  @SuppressWarnings("NullAway.Init") // set before codes are added
  private CellSum sum;

  /**
   * Loads the entries of a page.
   *
   * @param matchingFirst the first matching code
   * @param matchingLast the last matching code; all codes between the two match
   */
  void load(NumberVector entries, int matchingFirst, int matchingLast) {
    first = matchingFirst;
    last = matchingLast;
    isFloating = entries.kind() == NumberVector.Kind.DOUBLES;
    fits = isFloating || (entries.low() >= -LARGEST && entries.high() <= LARGEST);
    int room = entries.capacity();
    if (isFloating) {
      floating = floating.length < room ? new double[room] : floating;
      Arrays.fill(floating, 0);
      System.arraycopy(entries.doubles(), first, floating, first, last + 1 - first);
    } else {
      exact = exact.length < room ? new long[room] : exact;
      Arrays.fill(exact, 0);
      entries.copyTo(exact, first, last + 1);
    }
  }

  /** Whether the entries are small enough to be summed without overflow. */
  boolean fits() {
    return fits;
  }

  /** Directs the following additions to the given sum. */
  void begin(CellSum to) {
    sum = to;
    Arrays.fill(counts, 0);
  }

  @Override
  public void addStripe(int[] codes) {
    count(codes, counts, first, last);
    if (isFloating) {
      sum.add(total(floating, codes));
    } else {
      sum.add(total(exact, codes));
    }
  }

  private static void count(int[] codes, int[] counts, int first, int last) {
    for (int lane = 0; lane < codes.length; lane++) {
      counts[lane] += ~((codes[lane] - first) | (last - codes[lane])) >>> 31;
    }
  }

  private static long total(long[] numbers, int[] codes) {
    long total = 0;
    for (int i = 0; i < codes.length; i++) {
      total += numbers[codes[i]];
    }
    return total;
  }

  /** Uses four accumulators, because additions to a single one would wait for each other. */
  private static double total(double[] numbers, int[] codes) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    for (int i = 0; i < LanePacking.LANES; i += 4) {
      a += numbers[codes[i]];
      b += numbers[codes[i + 1]];
      c += numbers[codes[i + 2]];
      d += numbers[codes[i + 3]];
    }
    return (a + b) + (c + d);
  }

  @Override
  public void add(int code) {
    if (code >= first && code <= last) {
      sum.addRows(1);
      if (isFloating) {
        sum.add(floating[code]);
      } else {
        sum.add(exact[code]);
      }
    }
  }

  /** Adds the number of matching rows in the stripes to the row count of the sum. */
  void finish() {
    for (int count : counts) {
      sum.addRows(count);
    }
  }
}
