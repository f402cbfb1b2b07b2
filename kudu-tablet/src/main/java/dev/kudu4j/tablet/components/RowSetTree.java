package dev.kudu4j.tablet.components;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** DiskRowSets by key interval. Finds the rowsets that may contain a key. Immutable. */
public final class RowSetTree {
  private final List<DiskRowSet> rowSets;
  private final KeyIntervals intervals;

  public RowSetTree(List<DiskRowSet> unsorted) {
    Comparator<DiskRowSet> byKey =
        (a, b) -> Arrays.compareUnsigned(a.base().minKey(), b.base().minKey());
    DiskRowSet[] sorted = unsorted.toArray(new DiskRowSet[0]);
    Arrays.sort(sorted, byKey.thenComparingLong(DiskRowSet::id));
    this.rowSets = List.of(sorted);
    byte[][] minKeys = new byte[sorted.length][];
    byte[][] maxKeys = new byte[sorted.length][];
    for (int i = 0; i < sorted.length; i++) {
      minKeys[i] = sorted[i].base().minKey();
      maxKeys[i] = sorted[i].base().maxKey();
    }
    this.intervals = new KeyIntervals(minKeys, maxKeys);
  }

  /** Sorted by smallest key. */
  public List<DiskRowSet> rowSets() {
    return rowSets;
  }

  public int size() {
    return rowSets.size();
  }

  public DiskRowSet get(int index) {
    return rowSets.get(index);
  }

  /**
   * The index of the last rowset below index {@code before} whose interval covers the key, or -1.
   * Start a search with {@link #size} and continue with each result.
   */
  public int coveringBefore(int before, byte[] key, int offset, int length) {
    return intervals.coveringBefore(before, key, offset, length);
  }

  /** The rowsets whose interval covers the key. */
  public List<DiskRowSet> covering(byte[] key) {
    int i = coveringBefore(size(), key, 0, key.length);
    if (i < 0) {
      return List.of();
    }
    List<DiskRowSet> found = new ArrayList<>(2);
    for (; i >= 0; i = coveringBefore(i, key, 0, key.length)) {
      found.add(get(i));
    }
    return found;
  }
}
