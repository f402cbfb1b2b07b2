package dev.kudu4j.tablet;

/**
 * Sizes of a tablet now.
 *
 * @param liveRows rows that READ_LATEST would see
 * @param memRowSetBytes off-heap bytes of new rows in memory
 * @param deltaMemStoreBytes off-heap bytes of changes in memory
 * @param onDiskBytes data files named by the superblock
 * @param rowSetCount DiskRowSets
 * @param deltaFileCount delta files
 */
public record TabletStatistics(
    long liveRows,
    long memRowSetBytes,
    long deltaMemStoreBytes,
    long onDiskBytes,
    int rowSetCount,
    int deltaFileCount) {}
