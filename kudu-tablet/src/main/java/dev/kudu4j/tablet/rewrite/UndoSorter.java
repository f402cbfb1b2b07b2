package dev.kudu4j.tablet.rewrite;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;

/**
 * Sorts UNDO changes of one row from several sources into file order.
 *
 * <p>One update of several columns may be spread over several UNDO files if its columns were moved
 * to base data at different times. These changes have the same timestamp and sequence and are
 * joined into one.
 */
final class UndoSorter {
  private UndoSorter() {}

  /**
   * Sorts the changes, joins those with the same timestamp and sequence, and drops changes below
   * the mark.
   */
  static void sortAndJoin(MutationList undo, long ancientHistoryMark, MutationBuilder entries) {
    undo.sortByTime();
    int kept = 0;
    for (int i = 0; i < undo.size(); i++) {
      long entry = undo.get(i);
      if (Mutation.timestamp(entry) < ancientHistoryMark) {
        continue;
      }
      if (kept > 0 && MutationList.compare(undo.get(kept - 1), entry) == 0) {
        undo.set(kept - 1, join(undo.get(kept - 1), entry, entries));
      } else {
        undo.set(kept++, entry);
      }
    }
    undo.truncate(kept);
  }

  private static long join(long first, long second, MutationBuilder entries) {
    long change = Mutation.changeAddress(first);
    long other = Mutation.changeAddress(second);
    if (RowChange.kind(change) != RowChange.UPDATE || RowChange.kind(other) != RowChange.UPDATE) {
      throw new IllegalStateException(
          "Conflicting UNDO changes at timestamp %d: kinds %d and %d"
              .formatted(Mutation.timestamp(first), RowChange.kind(change), RowChange.kind(other)));
    }
    entries.begin(RowChange.UPDATE);
    addCells(change, entries);
    addCells(other, entries);
    return entries.end(Mutation.timestamp(first), Mutation.sequence(first));
  }

  private static void addCells(long change, MutationBuilder entries) {
    long cell = change + RowChange.HEADER_BYTES;
    for (int left = RowChange.cellCount(change); left > 0; left--) {
      int length = Memory.getInt(cell + 4);
      entries.addCell(Memory.getInt(cell), cell + RowChange.CELL_HEADER_BYTES, length);
      cell += RowChange.CELL_HEADER_BYTES + Math.max(0, length);
    }
  }
}
