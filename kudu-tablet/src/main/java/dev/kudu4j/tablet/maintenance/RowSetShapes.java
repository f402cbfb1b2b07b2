package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.maintenance.policy.KeySpace;
import dev.kudu4j.tablet.maintenance.policy.RowSetShape;
import java.util.List;

/** Computes the rowset properties that the compaction policy uses, without reading files. */
public final class RowSetShapes {
  private RowSetShapes() {}

  /** The shapes of all rowsets, in the order of {@link Components#rowSets}. */
  static List<RowSetShape> of(Components components, long ancientHistoryMark) {
    return components.rowSets().stream().map(rowSet -> of(rowSet, ancientHistoryMark)).toList();
  }

  private static RowSetShape of(DiskRowSet rowSet, long ancientHistoryMark) {
    return new RowSetShape(
        rowSet.base().minKey(),
        rowSet.base().maxKey(),
        Math.max(1, rowSet.onDisk().dataBytes()),
        rowSet.base().rowCount(),
        ancientRows(rowSet, ancientHistoryMark));
  }

  /** The average number of DiskRowSets that cover a row's key. */
  public static double averageHeight(Components components) {
    return KeySpace.averageHeight(of(components, 0));
  }

  /**
   * An estimate of the number of rows that were deleted before the mark. It assumes that the
   * deletions in a file are evenly distributed over the file's time span. The estimate is exactly 0
   * if no REDO file contains a change below the mark, which is the case after a compaction.
   */
  static long ancientRows(DiskRowSet rowSet, long mark) {
    double rows = 0;
    for (DeltaFile file : rowSet.redoFiles()) {
      rows += file.livenessChangeCount() * shareBelow(file, mark);
    }
    return Math.min((long) Math.ceil(rows), rowSet.liveness().deletedCount());
  }

  /**
   * An estimate of the bytes of UNDO changes below the mark, with the same assumption as in {@link
   * #ancientRows}.
   */
  static long ancientUndoBytes(DiskRowSet rowSet, long mark) {
    double bytes = 0;
    for (DeltaFile file : rowSet.undoFiles()) {
      bytes += file.fileBytes() * shareBelow(file, mark);
    }
    return (long) bytes;
  }

  /** The size of the base data columns that are no longer in the schema. */
  static long droppedBytes(DiskRowSet rowSet, Schema schema) {
    long bytes = 0;
    for (ColumnIndex column : rowSet.base().footer().columns()) {
      bytes += schema.indexOfId(column.column().id()) < 0 ? column.bytes() : 0;
    }
    return bytes;
  }

  private static double shareBelow(DeltaFile file, long mark) {
    if (mark <= file.minTimestamp()) {
      return 0;
    }
    if (mark > file.maxTimestamp()) {
      return 1;
    }
    return (double) (mark - file.minTimestamp()) / (file.maxTimestamp() - file.minTimestamp() + 1);
  }
}
