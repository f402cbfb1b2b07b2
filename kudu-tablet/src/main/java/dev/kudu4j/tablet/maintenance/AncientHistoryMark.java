package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.DeltaFile;

/** Computes the ancient history mark for an update of a tablet's files. */
final class AncientHistoryMark {
  private AncientHistoryMark() {}

  /**
   * Returns the wanted mark, limited to the lowest snapshot that contains all data on disk, so that
   * this snapshot stays readable. The result is never below the current mark, and it is the current
   * mark if no data on disk is older than the wanted one: then there is nothing to drop, and the
   * history stays complete.
   */
  static long of(Components now, long wanted) {
    long lowest = Long.MAX_VALUE;
    long highest = 0;
    for (DiskRowSet rowSet : now.rowSets()) {
      lowest = Math.min(lowest, minTimestamp(rowSet));
      highest = Math.max(highest, maxTimestamp(rowSet));
    }
    return lowest >= wanted
        ? now.ancientHistoryMark()
        : Math.max(now.ancientHistoryMark(), Math.min(wanted, highest + 1));
  }

  private static long minTimestamp(DiskRowSet rowSet) {
    long lowest = rowSet.base().minInsertTimestamp();
    for (DeltaFile file : rowSet.redoFiles()) {
      lowest = Math.min(lowest, file.minTimestamp());
    }
    for (DeltaFile file : rowSet.undoFiles()) {
      lowest = Math.min(lowest, file.minTimestamp());
    }
    return lowest;
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
