package dev.kudu4j.client;

import dev.kudu4j.common.proto.tserver.ScanReportPB;
import java.util.function.ToLongFunction;

/** The counters of a Kudu4j server while it scans a tablet; see {@link ScanReport}. */
public enum ScanCounter {
  /** The DiskRowSets of the tablet. */
  ROWSETS(ScanReportPB::getRowsets),
  /** DiskRowSets that key bounds or the snapshot exclude. */
  ROWSETS_OUTSIDE(ScanReportPB::getRowsetsOutside),
  /** DiskRowSets that have none of the given keys, by their Bloom filters and key indexes. */
  ROWSETS_WITHOUT_KEYS(ScanReportPB::getRowsetsWithoutKeys),
  /** DiskRowSets that were answered from statistics, without reading a cell. */
  ROWSETS_COUNTED(ScanReportPB::getRowsetsCounted),
  /** DiskRowSets in which an index found the rows to read. */
  ROWSETS_INDEXED(ScanReportPB::getRowsetsIndexed),
  /** The rows that indexes found; the server has tested them once more. */
  ROWS_INDEXED(ScanReportPB::getRowsIndexed),
  /** MemRowSets that were read. */
  MEMROWSETS(ScanReportPB::getMemrowsets),
  /** Pages of the columns that were opened, in each DiskRowSet: for statistics or for a cell. */
  PAGES(ScanReportPB::getPages),
  /** Pages that were read, from disk or from the page cache. */
  PAGES_READ(ScanReportPB::getPagesRead),
  /** Pages of filtered columns in which no cell matches, by their statistics. */
  PAGES_EXCLUDED(ScanReportPB::getPagesExcluded),
  /** Pages that come after the first rows of the order, by their statistics. */
  PAGES_BEHIND(ScanReportPB::getPagesBehind),
  /** Pages of filtered columns in which all cells match, by their statistics. */
  PAGES_CERTAIN(ScanReportPB::getPagesCertain),
  /** Delta files of the DiskRowSets that are not excluded as a whole. */
  DELTA_FILES(ScanReportPB::getDeltaFiles),
  /** Delta files with changes that may matter for the snapshot and the columns. */
  DELTA_FILES_READ(ScanReportPB::getDeltaFilesRead),
  /** Changes of rows that were visited, in delta files and in memory. */
  CHANGES(ScanReportPB::getChanges),
  /** Bytes of pages and delta blocks that were read from disk, as stored. */
  DISK_BYTES(ScanReportPB::getDiskBytes),
  /** Bytes of pages and delta blocks that the page cache had, as stored. */
  CACHED_BYTES(ScanReportPB::getCachedBytes),
  /** Rows of the blocks that were read or filtered. */
  ROWS_VISITED(ScanReportPB::getRowsVisited),
  /** Rows that were counted from statistics. */
  ROWS_COUNTED(ScanReportPB::getRowsCounted),
  /** Rows that satisfy all predicates and conditions. */
  ROWS_MATCHED(ScanReportPB::getRowsMatched),
  /** Cells that were decoded, or copied from rows in memory. */
  CELLS_DECODED(ScanReportPB::getCellsDecoded),
  /** Cells that were filtered, summed or grouped without decoding them. */
  CELLS_ENCODED(ScanReportPB::getCellsEncoded),
  /** Rows, or groups of an aggregation, that the server returned. */
  ROWS_RETURNED(ScanReportPB::getRowsReturned),
  /** Bytes of the returned cells. */
  BYTES_RETURNED(ScanReportPB::getBytesReturned),
  /** Batches that the server returned. */
  BATCHES(ScanReportPB::getBatches),
  /** Nanoseconds that the server worked, without waiting for the client or in queues. */
  SERVER_NANOS(ScanReportPB::getServerNanos);

  @SuppressWarnings("ImmutableEnumChecker") // a reference to a method of the message
  private final ToLongFunction<ScanReportPB> value;

  ScanCounter(ToLongFunction<ScanReportPB> value) {
    this.value = value;
  }

  long of(ScanReportPB report) {
    return value.applyAsLong(report);
  }
}
