package dev.kudu4j.tools.fs;

import dev.kudu4j.tablet.check.RowSetReport;
import dev.kudu4j.tablet.check.TabletReport;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListPrinter;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/** Prints the results of checks: one line per rowset and one per tablet. */
final class CheckTable {
  static final List<ListColumn> COLUMNS =
      List.of(
          ListColumn.text("tablet"),
          ListColumn.text("table"),
          ListColumn.number("rowset"),
          ListColumn.number("files"),
          ListColumn.number("rows"),
          ListColumn.number("live"),
          ListColumn.number("changes"),
          ListColumn.number("bytes"),
          ListColumn.text("state"));

  private final ListPrinter list;

  /**
   * @param list borrowed; a list with the columns {@link #COLUMNS}
   */
  CheckTable(ListPrinter list) {
    this.list = list;
  }

  /**
   * Adds a directory that remained after a crash during the creation or deletion of a tablet. Such
   * a directory is not an error.
   */
  void addRemainder(String tablet) {
    list.row(Arrays.asList(tablet, "", "*", 0L, 0L, 0L, 0L, 0L, "remainder"));
  }

  /** Adds a tombstone, or an incomplete copy. */
  void addTombstone(String tablet, String table) {
    list.row(Arrays.asList(tablet, table, "*", 0L, 0L, 0L, 0L, 0L, "tombstone"));
  }

  void add(String tablet, TabletReport report) {
    for (RowSetReport rowSet : report.rowSets()) {
      list.row(
          Arrays.asList(
              tablet,
              report.tableName(),
              Long.toString(rowSet.id()),
              (long) rowSet.fileCount(),
              rowSet.rowCount(),
              rowSet.liveRowCount(),
              rowSet.changeCount(),
              rowSet.bytes(),
              state(rowSet.problems().size())));
    }
    list.row(
        Arrays.asList(
            tablet,
            report.tableName(),
            "*",
            sum(report, RowSetReport::fileCount),
            sum(report, RowSetReport::rowCount),
            sum(report, RowSetReport::liveRowCount),
            sum(report, RowSetReport::changeCount),
            sum(report, RowSetReport::bytes),
            state(report.allProblems().size())));
  }

  private static long sum(TabletReport report, ToLongFunction<RowSetReport> of) {
    return report.rowSets().stream().mapToLong(of).sum();
  }

  private static String state(int problems) {
    return problems == 0 ? "sound" : problems == 1 ? "1 problem" : problems + " problems";
  }
}
