package dev.kudu4j.tablet.scan.index;

import java.util.Arrays;

/** Ordinals of a rowset, ascending and distinct once {@link #sort} was called. */
public final class OrdinalSet {
  private static final int FEW = 256;

  private int[] ordinals = new int[64];
  private int count;

  public int count() {
    return count;
  }

  public void add(int ordinal) {
    if (count == ordinals.length) {
      ordinals = Arrays.copyOf(ordinals, 2 * count);
    }
    ordinals[count++] = ordinal;
  }

  void addAll(OrdinalSet other) {
    if (count + other.count > ordinals.length) {
      ordinals = Arrays.copyOf(ordinals, Math.max(2 * count, count + other.count));
    }
    System.arraycopy(other.ordinals, 0, ordinals, count, other.count);
    count += other.count;
  }

  /**
   * Sorts the ordinals and drops duplicates: a few by comparison, many by means of a bitmap.
   *
   * @param rows the number of rows of the rowset
   */
  public void sort(int rows) {
    if (count <= FEW || count < rows >>> 10) {
      Arrays.sort(ordinals, 0, count);
      int kept = 0;
      for (int i = 0; i < count; i++) {
        if (i == 0 || ordinals[i] != ordinals[i - 1]) {
          ordinals[kept++] = ordinals[i];
        }
      }
      count = kept;
      return;
    }
    long[] bits = new long[(rows + 63) >>> 6];
    for (int i = 0; i < count; i++) {
      bits[ordinals[i] >>> 6] |= 1L << ordinals[i];
    }
    count = 0;
    for (int word = 0; word < bits.length; word++) {
      for (long left = bits[word]; left != 0; left &= left - 1) {
        ordinals[count++] = (word << 6) + Long.numberOfTrailingZeros(left);
      }
    }
  }

  /** Keeps only the ordinals that the other set has, too. Both are sorted. */
  void retainAll(OrdinalSet other) {
    int kept = 0;
    int at = 0;
    for (int i = 0; i < count; i++) {
      while (at < other.count && other.ordinals[at] < ordinals[i]) {
        at++;
      }
      if (at < other.count && other.ordinals[at] == ordinals[i]) {
        ordinals[kept++] = ordinals[i];
      }
    }
    count = kept;
  }

  /** The ordinals in {@code [from, to)}. Must be sorted. */
  public long[] toArray(long from, long to) {
    int first = position(from);
    int last = position(to);
    long[] result = new long[last - first];
    for (int i = first; i < last; i++) {
      result[i - first] = ordinals[i];
    }
    return result;
  }

  private int position(long ordinal) {
    if (ordinal > Integer.MAX_VALUE) {
      return count;
    }
    int found = Arrays.binarySearch(ordinals, 0, count, (int) ordinal);
    return found >= 0 ? found : -found - 1;
  }
}
