package dev.kudu4j.tablet.components;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * DiskRowSets by key interval.
 *
 * <p>Sorted by smallest key, each with the largest key of all up to it, so that the search for a
 * key walks backwards only as long as an interval may still reach it. A sorted load, whose keys lie
 * behind every interval, asks one comparison. Immutable.
 */
public final class RowSetTree {
  private final List<DiskRowSet> rowSets;
  private final byte[][] minKeys;
  private final byte[][] maxKeys;
  private final byte[][] largestUpTo;

  public RowSetTree(List<DiskRowSet> unsorted) {
    Comparator<DiskRowSet> byKey =
        (a, b) -> Arrays.compareUnsigned(a.base().minKey(), b.base().minKey());
    DiskRowSet[] sorted = unsorted.toArray(new DiskRowSet[0]);
    Arrays.sort(sorted, byKey.thenComparingLong(DiskRowSet::id));
    this.rowSets = List.of(sorted);
    this.minKeys = new byte[sorted.length][];
    this.maxKeys = new byte[sorted.length][];
    this.largestUpTo = new byte[sorted.length][];
    for (int i = 0; i < sorted.length; i++) {
      minKeys[i] = sorted[i].base().minKey();
      maxKeys[i] = sorted[i].base().maxKey();
      boolean larger = i == 0 || Arrays.compareUnsigned(maxKeys[i], largestUpTo[i - 1]) > 0;
      largestUpTo[i] = larger ? maxKeys[i] : largestUpTo[i - 1];
    }
  }

  /** By smallest key. */
  public List<DiskRowSet> rowSets() {
    return rowSets;
  }

  public int size() {
    return minKeys.length;
  }

  public DiskRowSet get(int index) {
    return rowSets.get(index);
  }

  /**
   * The index of the last rowset whose interval covers the key, or -1. Begin the search at {@link
   * #size}, go on with the index found.
   */
  public int coveringBefore(int before, byte[] key, int offset, int length) {
    int i = Math.min(before, firstAbove(key, offset, length)) - 1;
    for (; i >= 0 && compare(largestUpTo[i], key, offset, length) >= 0; i--) {
      if (compare(maxKeys[i], key, offset, length) >= 0) {
        return i;
      }
    }
    return -1;
  }

  /** The index of the first rowset whose smallest key is above the key. */
  private int firstAbove(byte[] key, int offset, int length) {
    int low = 0;
    int high = minKeys.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(minKeys[middle], key, offset, length) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static int compare(byte[] bound, byte[] key, int offset, int length) {
    return Arrays.compareUnsigned(bound, 0, bound.length, key, offset, offset + length);
  }
}
