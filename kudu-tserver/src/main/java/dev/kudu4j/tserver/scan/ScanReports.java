package dev.kudu4j.tserver.scan;

import dev.kudu4j.common.proto.tserver.ScanReportPB;
import dev.kudu4j.tablet.scan.source.ScanWork;

/** Describes what a scan has done, for its client. */
final class ScanReports {
  private ScanReports() {}

  /** The report of a scanner that no thread reads from, after its last batch. */
  static ScanReportPB of(OpenScanner scanner) {
    ScanWork work = scanner.scanner().work();
    ScanTrace trace = scanner.trace();
    return ScanReportPB.newBuilder()
        .setRowsets(work.rowSets())
        .setRowsetsOutside(work.rowSetsOutside())
        .setRowsetsWithoutKeys(work.rowSetsWithoutKeys())
        .setRowsetsCounted(work.rowSetsCounted())
        .setRowsetsIndexed(work.rowSetsIndexed())
        .setRowsIndexed(work.rowsIndexed())
        .setMemrowsets(work.memRowSets())
        .setPages(work.pages())
        .setPagesRead(work.reads().columnPages())
        .setPagesExcluded(work.pagesExcluded())
        .setPagesBehind(work.pagesBehind())
        .setPagesCertain(work.pagesCertain())
        .setDeltaFiles(work.deltaFiles())
        .setDeltaFilesRead(work.deltaFilesRead())
        .setChanges(work.changes())
        .setDiskBytes(work.reads().diskBytes())
        .setCachedBytes(work.reads().cachedBytes())
        .setRowsVisited(work.rowsVisited())
        .setRowsCounted(work.rowsCounted())
        .setRowsMatched(work.rowsMatched())
        .setCellsDecoded(work.cellsDecoded())
        .setCellsEncoded(work.reads().encodedCells())
        .setRowsReturned(trace.rows())
        .setBytesReturned(trace.bytes())
        .setBatches(trace.calls())
        .setServerNanos(trace.busyNanos())
        .build();
  }
}
