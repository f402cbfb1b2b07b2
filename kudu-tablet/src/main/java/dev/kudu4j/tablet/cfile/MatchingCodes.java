package dev.kudu4j.tablet.cfile;

import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The dictionary codes or runs in a page that match a filter. Each dictionary entry or run is
 * tested once per page. Not thread-safe.
 */
final class MatchingCodes {
  private @Nullable CellFilter cellFilter; // null if there is no result
  private long[] bits = new long[1];
  private int first;
  private int last;
  private int matching;

  /** Discards the result. */
  void clear() {
    cellFilter = null;
  }

  /** Whether this object contains the result of the filter for the current page. */
  boolean isOf(CellFilter asked) {
    return cellFilter == asked;
  }

  /** Tests all entries. */
  void find(CellFilter asked, ColumnVector entries) {
    int count = entries.rowCount();
    int words = (count + 63) >>> 6;
    if (bits.length < words) {
      bits = new long[words];
    }
    Arrays.fill(bits, 0, words, -1L);
    Arrays.fill(bits, words, bits.length, 0L);
    if ((count & 63) != 0) {
      bits[words - 1] = (1L << count) - 1;
    }
    asked.evaluate(entries, count, bits);
    cellFilter = asked;
    first = Integer.MAX_VALUE;
    last = -1;
    matching = 0;
    for (int word = 0; word < words; word++) {
      if (bits[word] != 0) {
        first = Math.min(first, (word << 6) + Long.numberOfTrailingZeros(bits[word]));
        last = (word << 6) + 63 - Long.numberOfLeadingZeros(bits[word]);
        matching += Long.bitCount(bits[word]);
      }
    }
  }

  boolean isNone() {
    return matching == 0;
  }

  /** Whether the matching codes are contiguous: {@code [first, last]}. */
  boolean isRange() {
    return matching == last - first + 1;
  }

  int first() {
    return first;
  }

  int last() {
    return last;
  }

  boolean matches(int code) {
    return code >>> 6 < bits.length && (bits[code >>> 6] & 1L << code) != 0;
  }
}
