package dev.kudu4j.tserver.scan;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.proto.tserver.IndexReportPB;
import dev.kudu4j.common.proto.tserver.ScanReportPB;
import dev.kudu4j.tablet.scan.index.IndexChoices;
import dev.kudu4j.tablet.scan.source.ScanWork;
import java.util.ArrayList;
import java.util.List;

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
        .setScanNanos(work.indexChoices().scanNanos())
        .addAllIndexes(indexes(work.indexChoices(), scanner.indexes()))
        .build();
  }

  private static List<IndexReportPB> indexes(IndexChoices choices, List<IndexDefinition> indexes) {
    List<IndexReportPB> reports = new ArrayList<>();
    for (IndexDefinition index : indexes) {
      IndexChoices.Choice choice = choices.byIndex().get(index.id());
      if (choice != null) {
        reports.add(
            IndexReportPB.newBuilder()
                .setName(index.name())
                .setStores(choice.stores())
                .setStoresUsed(choice.used())
                .setRows(choice.rows())
                .setNanos(choice.nanos())
                .build());
      }
    }
    return reports;
  }
}
