package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.DeltaFile;

/** Computes the ancient history mark for an update of a tablet's files. */
final class AncientHistoryMark {
  private AncientHistoryMark() {}

  /**
   * Returns the wanted mark, limited to the lowest snapshot that contains all data on disk, so that
   * this snapshot stays readable. The result is never below the current mark.
   */
  static long of(Components now, long wanted) {
    long highest = 0;
    for (DiskRowSet rowSet : now.rowSets()) {
      highest = Math.max(highest, maxTimestamp(rowSet));
    }
    return Math.max(now.ancientHistoryMark(), Math.min(wanted, highest + 1));
  }

  private static long maxTimestamp(DiskRowSet rowSet) {
    long highest = rowSet.base().maxInsertTimestamp();
    for (DeltaFile file : rowSet.redoFiles()) {
      highest = Math.max(highest, file.maxTimestamp());
    }
    for (DeltaFile file : rowSet.undoFiles()) {
      highest = Math.max(highest, file.maxTimestamp());
    }
    return highest;
  }
}
