package dev.kudu4j.tablet.apply;

import dev.kudu4j.tablet.components.DiskRowSet;
import java.util.Arrays;
import java.util.List;

/**
 * Changes that were appended to rows of some rowsets while a compaction replaces these rowsets, in
 * the order in which they were applied. The compaction carries the changes over to the new rowsets.
 * Guarded by the writer lock.
 */
public final class MissedDeltas {
  private final List<DiskRowSet> rowSets;
  private int[] numbers = new int[64];
  private long[] ordinals = new long[64];
  private long[] mutations = new long[64];
  private int count;

  /**
   * @param rowSets the rowsets being replaced; {@link #number} is a position in this list
   */
  public MissedDeltas(List<DiskRowSet> rowSets) {
    this.rowSets = List.copyOf(rowSets);
  }

  /** Records the newest change of the row if the rowset is being replaced. */
  void add(DiskRowSet rowSet, long ordinal) {
    int number = numberOf(rowSet.id());
    if (number < 0) {
      return;
    }
    if (count == ordinals.length) {
      numbers = Arrays.copyOf(numbers, 2 * count);
      ordinals = Arrays.copyOf(ordinals, 2 * count);
      mutations = Arrays.copyOf(mutations, 2 * count);
    }
    numbers[count] = number;
    ordinals[count] = ordinal;
    mutations[count] = rowSet.activeDeltas().newest(ordinal);
    count++;
  }

  private int numberOf(long rowSetId) {
    for (int i = 0; i < rowSets.size(); i++) {
      if (rowSets.get(i).id() == rowSetId) {
        return i;
      }
    }
    return -1;
  }

  public int count() {
    return count;
  }

  /** The position of the change's rowset in the list passed to the constructor. */
  public int number(int index) {
    return numbers[index];
  }

  public long ordinal(int index) {
    return ordinals[index];
  }

  /** The address of the change's mutation in its DeltaMemStore. */
  public long mutation(int index) {
    return mutations[index];
  }

  /** A copy of the current content. */
  public MissedDeltas snapshot() {
    MissedDeltas copy = new MissedDeltas(rowSets);
    copy.numbers = Arrays.copyOf(numbers, Math.max(count, 1));
    copy.ordinals = Arrays.copyOf(ordinals, Math.max(count, 1));
    copy.mutations = Arrays.copyOf(mutations, Math.max(count, 1));
    copy.count = count;
    return copy;
  }
}
