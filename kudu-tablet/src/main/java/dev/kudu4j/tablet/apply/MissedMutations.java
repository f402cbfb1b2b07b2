package dev.kudu4j.tablet.apply;

import java.util.Arrays;

/**
 * Changes that were appended to rows of the frozen MemRowSet after the freeze, in the order in
 * which they were applied. The checkpoint carries the changes over to the rowsets that replace the
 * frozen MemRowSet. Guarded by the writer lock.
 */
public final class MissedMutations {
  private long[] rowsAndMutations = new long[64];
  private int length;

  void add(long row, long mutation) {
    if (length == rowsAndMutations.length) {
      rowsAndMutations = Arrays.copyOf(rowsAndMutations, 2 * length);
    }
    rowsAndMutations[length++] = row;
    rowsAndMutations[length++] = mutation;
  }

  public int count() {
    return length / 2;
  }

  /**
   * The changes from the given index on, oldest first, as pairs of addresses: a row and its
   * mutation. The changes stay in this object, because a checkpoint that is retried after a failure
   * needs all of them again.
   */
  public long[] from(int index) {
    return Arrays.copyOfRange(rowsAndMutations, 2 * index, length);
  }
}
