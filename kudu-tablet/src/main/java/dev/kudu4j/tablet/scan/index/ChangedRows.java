package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import java.io.IOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a rowset whose cells of some columns may differ, at a snapshot, from those that index
 * files were built from: all rows with a change of one of the columns in a store or file that the
 * snapshot needs.
 */
public final class ChangedRows {
  private final long snapshot;
  private final Collection<Integer> columnIds;
  private final boolean liveness;
  private final long columns;
  private final int max;
  private final OrdinalSet out;

  private ChangedRows(
      long snapshot, Collection<Integer> columnIds, boolean liveness, int max, OrdinalSet out) {
    this.snapshot = snapshot;
    this.columnIds = columnIds;
    this.liveness = liveness;
    this.max = max;
    this.out = out;
    long bits = 0;
    for (int id : columnIds) {
      bits |= RowChange.columnBit(id);
    }
    this.columns = bits;
  }

  /**
   * Adds the changed rows, possibly more than once.
   *
   * @param liveness whether to add also rows that were only deleted or reinserted
   * @param max give up beyond this number of changes
   * @return false if there are more than {@code max}
   */
  public static boolean addTo(
      OrdinalSet out,
      DiskRowSet rowSet,
      long snapshot,
      Collection<Integer> columnIds,
      boolean liveness,
      int max)
      throws IOException {
    int all = (int) Math.min(Integer.MAX_VALUE, (long) max + out.count());
    ChangedRows changed = new ChangedRows(snapshot, columnIds, liveness, all, out);
    boolean few = changed.add(rowSet.activeDeltas()) && changed.add(rowSet.frozenDeltas());
    for (DeltaFile file : rowSet.redoFiles()) {
      few = few && (file.minTimestamp() >= snapshot || changed.add(file));
    }
    for (DeltaFile file : rowSet.undoFiles()) {
      few = few && (file.maxTimestamp() < snapshot || changed.add(file));
    }
    return few;
  }

  private boolean add(@Nullable DeltaMemStore store) {
    if (store == null || store.isEmpty() || store.minTimestamp() >= snapshot) {
      return true;
    }
    DeltaMemStore.Cursor cursor = store.cursor();
    while (cursor.next()) {
      if (touches(cursor.newest())) {
        out.add((int) cursor.ordinal());
      }
      if (out.count() > max) {
        return false;
      }
    }
    return true;
  }

  /** Whether a change of the chain sets one of the columns. */
  private boolean touches(long newest) {
    for (long change = newest; change != 0; change = Mutation.next(change)) {
      if ((RowChange.columnMask(Mutation.changeAddress(change)) & columns) != 0) {
        return true;
      }
    }
    return false;
  }

  private boolean add(DeltaFile file) throws IOException {
    long changes = liveness ? file.livenessChangeCount() : 0;
    for (int id : columnIds) {
      changes += file.changesOf(id);
    }
    if (changes == 0) {
      return true;
    }
    if (changes > max - out.count()) {
      return false;
    }
    try (DeltaFile.Cursor cursor = file.openCursor()) {
      while (cursor.next()) {
        if ((RowChange.columnMask(cursor.changeAddress()) & columns) != 0) {
          out.add((int) cursor.ordinal());
        }
        if (out.count() > max) {
          return false;
        }
      }
    }
    return true;
  }
}
