package dev.kudu4j.tablet.maintenance;

import java.io.IOException;
import java.util.List;

/** Merges rowsets, or rewrites one rowset to drop deleted rows and ancient history. */
record RowSetCompactionTask(
    RowSetCompactionPlanner compactions,
    Kind kind,
    List<Long> rowSetIds,
    long mark,
    double readGain,
    long freedDiskBytes,
    long inputBytes)
    implements MaintenanceTask {
  /** Dropped data is read but not written. */
  @Override
  public long ioBytes() {
    return inputBytes + Math.max(0, inputBytes - freedDiskBytes);
  }

  @Override
  public String description() {
    return (kind == Kind.ROWSET_COMPACTION
            ? "Compaction of rowsets "
            : "Removal of dead rows, dropped columns and old history of rowsets ")
        + rowSetIds;
  }

  @Override
  public void run() throws IOException {
    if (kind == Kind.ROWSET_COMPACTION) {
      compactions.compact(rowSetIds, mark);
    } else {
      compactions.collect(rowSetIds, mark);
    }
  }
}
