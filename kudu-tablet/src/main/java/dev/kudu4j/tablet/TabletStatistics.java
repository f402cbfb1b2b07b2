package dev.kudu4j.tablet;

import dev.kudu4j.tablet.index.IndexProgress;
import java.util.List;

/**
 * The current sizes of a tablet.
 *
 * @param liveRows rows that READ_LATEST sees
 * @param memRowSetBytes off-heap bytes of new rows in memory, also of those that open transactions
 *     have staged
 * @param deltaMemStoreBytes off-heap bytes of changes in memory
 * @param onDiskBytes size in bytes of the data files of rowsets that the superblock references
 * @param rowSetCount DiskRowSets
 * @param deltaFileCount delta files, REDO and UNDO
 * @param undoBytes the part of {@code onDiskBytes} in UNDO files
 * @param averageHeight the average number of DiskRowSets whose key interval covers a row's key; 1
 *     is best
 * @param ancientHistoryMark history before this timestamp has been dropped; 0 if the history is
 *     complete
 * @param indexes one for each index of the tablet
 */
public record TabletStatistics(
    long liveRows,
    long memRowSetBytes,
    long deltaMemStoreBytes,
    long onDiskBytes,
    int rowSetCount,
    int deltaFileCount,
    long undoBytes,
    double averageHeight,
    long ancientHistoryMark,
    List<IndexProgress> indexes) {
  public TabletStatistics {
    indexes = List.copyOf(indexes);
  }

  /**
   * Statistics of a tablet without indexes, whose rowsets do not overlap and whose history is
   * complete.
   */
  public TabletStatistics(
      long liveRows,
      long memRowSetBytes,
      long deltaMemStoreBytes,
      long onDiskBytes,
      int rowSetCount,
      int deltaFileCount) {
    this(
        liveRows,
        memRowSetBytes,
        deltaMemStoreBytes,
        onDiskBytes,
        rowSetCount,
        deltaFileCount,
        0,
        rowSetCount == 0 ? 0 : 1,
        0,
        List.of());
  }

  /** The number of index files that are still to be built. */
  public long missingIndexFiles() {
    return indexes.stream().mapToLong(IndexProgress::missingFiles).sum();
  }
}
