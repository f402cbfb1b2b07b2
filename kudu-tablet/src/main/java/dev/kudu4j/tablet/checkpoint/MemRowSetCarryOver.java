package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetTree;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.memrowset.MemRow;
import java.io.IOException;

/**
 * Carries changes of frozen rows over to the rowsets that the rows were written to, which have no
 * readers yet. Adds each change to the rowset's DeltaMemStore by ordinal, in the original order.
 */
final class MemRowSetCarryOver {
  private final RowSetTree rowSets;
  private int moved;
  private byte[] key = new byte[64];
  private byte[] change = new byte[128];

  /**
   * @param rowSets the rowsets written from the frozen MemRowSet
   */
  MemRowSetCarryOver(RowSetTree rowSets) {
    this.rowSets = rowSets;
  }

  /** The number of changes moved so far. */
  int moved() {
    return moved;
  }

  /**
   * @param rowsAndMutations pairs of addresses in the frozen MemRowSet, which must not be released
   *     yet; each pair is a row and its mutation
   */
  void move(long[] rowsAndMutations) throws IOException {
    for (int i = 0; i < rowsAndMutations.length; i += 2) {
      move(rowsAndMutations[i], rowsAndMutations[i + 1]);
      moved++;
    }
  }

  private void move(long row, long mutation) throws IOException {
    int keyLength = MemRow.keyLength(row);
    key = atLeast(key, keyLength);
    Memory.copy(MemRow.keyAddress(row), key, 0, keyLength);
    DiskRowSet rowSet = rowSets.get(coveringRowSet(keyLength));
    long ordinal = rowSet.base().find(key, 0, keyLength);
    if (ordinal < 0) {
      throw new IllegalStateException("A row of the frozen MemRowSet is not in " + rowSet);
    }
    int length = Mutation.changeLength(mutation);
    change = atLeast(change, length);
    Memory.copy(Mutation.changeAddress(mutation), change, 0, length);
    rowSet
        .activeDeltas()
        .add(ordinal, Mutation.timestamp(mutation), Mutation.sequence(mutation), change, 0, length);
    if (change[0] == RowChange.DELETE) {
      rowSet.liveness().delete(ordinal);
    } else if (change[0] == RowChange.REINSERT) {
      rowSet.liveness().reinsert(ordinal);
    }
  }

  private int coveringRowSet(int keyLength) {
    int index = rowSets.coveringBefore(rowSets.size(), key, 0, keyLength);
    if (index < 0) {
      throw new IllegalStateException("A row of the frozen MemRowSet was not written");
    }
    return index;
  }

  private static byte[] atLeast(byte[] array, int length) {
    return array.length >= length ? array : new byte[Math.max(length, 2 * array.length)];
  }
}
