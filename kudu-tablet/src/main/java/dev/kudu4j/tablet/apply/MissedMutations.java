package dev.kudu4j.tablet.apply;

import java.util.Arrays;

/**
 * Changes appended to rows of the frozen MemRowSet after the freeze, in order: what a checkpoint
 * carries over to the rowsets that the frozen one becomes. Guarded by the writer lock.
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
   * The changes from the one of that number on, the oldest first: address of row, address of
   * mutation, and so on. They stay here too: an attempt that fails is followed by one that needs
   * them all again.
   */
  public long[] from(int index) {
    return Arrays.copyOfRange(rowsAndMutations, 2 * index, length);
  }
}
