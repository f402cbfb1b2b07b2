package dev.kudu4j.tablet;

/**
 * Sizes of a tablet now.
 *
 * @param liveRows rows that READ_LATEST would see
 * @param memRowSetBytes off-heap bytes of new rows in memory
 * @param deltaMemStoreBytes off-heap bytes of changes in memory
 * @param onDiskBytes data files named by the superblock
 * @param rowSetCount DiskRowSets
 * @param deltaFileCount delta files, REDO and UNDO
 * @param undoBytes of the data files: what rows were
 * @param averageHeight DiskRowSets whose key interval covers a random row's key; 1 is best
 * @param ancientHistoryMark history below it has been collected; 0 when all is there
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
    long ancientHistoryMark) {
  /** Of a tablet whose rowsets do not overlap, with all its history. */
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
        0);
  }
}
