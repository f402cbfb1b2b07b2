package dev.kudu4j.tools.table;

import dev.kudu4j.client.ScanCounter;
import dev.kudu4j.client.ScanReport;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Prints how servers have run a scan: a line for each tablet that was read, and a line {@code *}
 * with the sum. The pretty format is narrow: it has the most important counters of each tablet, and
 * all counters of the sum below. What a server does not report is null.
 */
final class ScanExplanation {
  /**
   * A column of the list.
   *
   * @param main whether the pretty format has it for each tablet
   */
  private record Column(String title, ScanCounter counter, boolean main, String meaning) {}

  private static final List<Column> COLUMNS =
      List.of(
          main("rowsets", ScanCounter.ROWSETS, "DiskRowSets of the tablets"),
          more("outside", ScanCounter.ROWSETS_OUTSIDE, "of these excluded by keys or the snapshot"),
          more(
              "without_keys",
              ScanCounter.ROWSETS_WITHOUT_KEYS,
              "of these without the given keys, by Bloom filters and key indexes"),
          more("counted", ScanCounter.ROWSETS_COUNTED, "of these answered from statistics"),
          more("indexed", ScanCounter.ROWSETS_INDEXED, "of these with rows found by an index"),
          more("rows_indexed", ScanCounter.ROWS_INDEXED, "rows that an index found"),
          more("in_memory", ScanCounter.MEMROWSETS, "MemRowSets that were read"),
          main("pages", ScanCounter.PAGES, "of the scanned columns, in rowsets not excluded"),
          main("read", ScanCounter.PAGES_READ, "of these read, from disk or from the cache"),
          main("excluded", ScanCounter.PAGES_EXCLUDED, "no cell can match, by their statistics"),
          main("behind", ScanCounter.PAGES_BEHIND, "after the first rows of the order"),
          more("certain", ScanCounter.PAGES_CERTAIN, "all cells match, by their statistics"),
          more("delta_files", ScanCounter.DELTA_FILES, "in rowsets not excluded"),
          main("deltas_read", ScanCounter.DELTA_FILES_READ, "of these with changes that matter"),
          more("changes", ScanCounter.CHANGES, "that were visited, in files and in memory"),
          main("disk_bytes", ScanCounter.DISK_BYTES, "of pages and delta blocks, as stored"),
          main("cached_bytes", ScanCounter.CACHED_BYTES, "the same, from the page cache"),
          main("visited", ScanCounter.ROWS_VISITED, "rows of the blocks that were read"),
          more("rows_counted", ScanCounter.ROWS_COUNTED, "rows counted from statistics"),
          main("matched", ScanCounter.ROWS_MATCHED, "rows that satisfy all conditions"),
          more("cells_decoded", ScanCounter.CELLS_DECODED, "or copied from rows in memory"),
          more("cells_encoded", ScanCounter.CELLS_ENCODED, "evaluated without decoding"));

  private ScanExplanation() {}

  private static Column main(String title, ScanCounter counter, String meaning) {
    return new Column(title, counter, true, meaning);
  }

  private static Column more(String title, ScanCounter counter, String meaning) {
    return new Column(title, counter, false, meaning);
  }

  /**
   * @param tabletCount the tablets of the table
   * @param notes receives sentences, out only lists
   */
  static void print(
      ScanReport report, int tabletCount, ListFormat format, PrintWriter out, PrintWriter notes) {
    boolean narrow = format == ListFormat.pretty;
    List<Column> columns = COLUMNS.stream().filter(column -> column.main() || !narrow).toList();
    try (ListPrinter list = format.open(titles(columns), out)) {
      report.getTablets().forEach(tablet -> list.row(cells(tablet.getTabletId(), tablet, columns)));
      list.row(cells("*", report.getTotal(), columns));
    }
    if (narrow && report.getTotal().hasCounters()) {
      out.println();
      printSum(report.getTotal(), format, out);
    }
    printIndexes(report.getTotal(), notes);
    if (report.getIndex().isPresent()) {
      notes.printf(
          "global index %s read instead of the table: %d tablets of the index%n",
          report.getIndex().get(), report.getTablets().size());
    } else {
      printTablets(report.getTablets().size(), tabletCount, notes);
    }
    if (!report.getTotal().hasCounters()) {
      notes.println(
          "Apache Kudu's servers report bytes and times only; what they skipped is unknown");
    }
    notes.flush();
  }

  private static void printTablets(int read, int all, PrintWriter notes) {
    notes.printf(
        "%d of %d tablets read%s%n",
        read,
        all,
        read < all ? "; partitions exclude the others, or the limit was reached before" : "");
  }

  private static void printIndexes(ScanReport.Tablet total, PrintWriter notes) {
    for (ScanReport.Index index : total.getIndexes()) {
      notes.printf(
          Locale.ROOT,
          "index %s: used in %d of %d rowsets that have it; estimated %,d rows, %s; without indexes"
              + " %s%n",
          index.getName(),
          index.getUsedStores(),
          index.getStores(),
          index.getEstimatedRows(),
          millis(index.getEstimatedNanos()),
          millis(total.getEstimatedScanNanos()));
    }
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
  }

  private static void printSum(ScanReport.Tablet total, ListFormat format, PrintWriter out) {
    List<ListColumn> titles =
        List.of(ListColumn.text("*"), ListColumn.number("sum"), ListColumn.text("meaning"));
    try (ListPrinter list = format.open(titles, out)) {
      for (Column column : COLUMNS) {
        list.row(List.of(column.title(), total.get(column.counter()), column.meaning()));
      }
    }
  }

  private static List<ListColumn> titles(List<Column> columns) {
    List<ListColumn> titles = new ArrayList<>(ListColumn.texts("tablet", "server"));
    columns.forEach(column -> titles.add(ListColumn.number(column.title())));
    titles.add(ListColumn.number("returned"));
    titles.add(ListColumn.number("ms"));
    return titles;
  }

  private static List<Object> cells(String name, ScanReport.Tablet tablet, List<Column> columns) {
    List<Object> cells = new ArrayList<>();
    cells.add(name);
    cells.add(tablet.getServer());
    for (Column column : columns) {
      cells.add(
          tablet.hasCounters()
              ? (Object) tablet.get(column.counter())
              : metric(column.counter(), tablet));
    }
    cells.add(tablet.getRows());
    long nanos =
        tablet.hasCounters()
            ? tablet.get(ScanCounter.SERVER_NANOS)
            : tablet.getResourceMetrics().getMetric("total_duration_nanos");
    cells.add(TimeUnit.NANOSECONDS.toMillis(nanos));
    return cells;
  }

  /** The metric that replaces a counter on a server without counters; null if there is none. */
  private static Object metric(ScanCounter counter, ScanReport.Tablet tablet) {
    return switch (counter) {
      case DISK_BYTES -> tablet.getResourceMetrics().getMetric("cfile_cache_miss_bytes");
      case CACHED_BYTES -> tablet.getResourceMetrics().getMetric("cfile_cache_hit_bytes");
      default -> null;
    };
  }
}
