package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.scan.block.PageFilter;
import dev.kudu4j.tablet.scan.predicate.ColumnTest;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the time of the ways to read the matching rows of a store. The constants are
 * nanoseconds on one core, from {@code bench parts IndexScan}; only their ratios matter.
 *
 * <pre>
 *   scan:    the cells of the cheapest filter, in pages that statistics do not exclude
 *            + the other columns: a visit of the page for each row, until most cells are decoded
 *   listed:  rows one by one, by ordinal
 *   entries: the cells of all columns, in the pages of the range
 * </pre>
 *
 * <p>Rows are listed only if that costs at most half of the scan, so that a wrong estimate makes a
 * scan little slower. Entries are read as the rows of a scan, so their cost is compared with less
 * margin.
 */
final class IndexCost {
  private static final double FILTER_NUMBER = 0.7;
  private static final double FILTER_TEXT = 8;
  private static final double DECODE_NUMBER = 1.2;
  private static final double DECODE_TEXT = 6;

  /** A matching row that is alone in its page: per column. */
  private static final double VISIT = 1300;

  private static final double LISTED_ROW = 350;
  private static final double LISTED_CELL = 250;
  private static final double MARGIN = 2;
  private static final double ENTRIES_MARGIN = 1.2;

  /** A row of a MemRowSet that a scan filters. */
  private static final double MEM_ROW = 30;

  private final IndexSearch.Query query;
  private final int rows;
  private final double filter;
  private final double otherCells; // of all rows

  /** The costs of a DiskRowSet. */
  IndexCost(IndexSearch.Query query, DiskRowSet rowSet, int rows) {
    this.query = query;
    this.rows = rows;
    double cheapest = Double.MAX_VALUE;
    BitSet filtered = new BitSet();
    for (PredicateNode conjunct : query.predicate().conjuncts()) {
      double nanos = 0;
      for (PredicateNode part : conjunct.alternatives()) {
        ColumnTest test = part.asColumnTest();
        nanos += filterNanos(query, rowSet, test, rows);
        if (test != null) {
          filtered.set(test.column());
        }
      }
      cheapest = Math.min(cheapest, nanos);
    }
    this.filter = cheapest;
    double cells = 0;
    for (int column = 0; column < query.columnCount(); column++) {
      cells += filtered.get(column) ? 0 : decode(query.columns().apply(column));
    }
    this.otherCells = cells * rows;
  }

  private static double decode(ColumnSchema column) {
    return column.type().isVariableLength() ? DECODE_TEXT : DECODE_NUMBER;
  }

  /** The time to evaluate a test on the pages that statistics do not decide. */
  private static double filterNanos(
      IndexSearch.Query query, DiskRowSet rowSet, @Nullable ColumnTest test, int rows) {
    if (test == null) {
      return rows * FILTER_TEXT;
    }
    try (ColumnReader reader = rowSet.onDisk().openColumn(query.columnId(test))) {
      if (reader == null) {
        return 0;
      }
      double perCell = reader.column().type().isVariableLength() ? FILTER_TEXT : FILTER_NUMBER;
      long undecided = 0;
      for (int page = 0; page < reader.pageCount(); page++) {
        PageFilter.Verdict verdict =
            test.judge(
                reader.rowCount(page),
                reader.nullCount(page),
                reader.minimum(page),
                reader.maximum(page));
        undecided += verdict == PageFilter.Verdict.NONE ? 0 : reader.rowCount(page);
      }
      return undecided * perCell;
    }
  }

  /** A scan in which a number of rows match. */
  double scan(long matching) {
    return filter + Math.min(otherCells, matching * VISIT * query.columnCount());
  }

  /** Reading rows one by one. */
  static double listed(long count, int columns) {
    return count * (LISTED_ROW + columns * LISTED_CELL);
  }

  /** Reading a number of entries. */
  double entries(long count) {
    double cell = 0;
    for (int column = 0; column < query.columnCount(); column++) {
      cell += decode(query.columns().apply(column));
    }
    return count * cell;
  }

  /** Whether rows that are read one by one cost little enough. */
  boolean isListedCheap(long count) {
    return listed(count, query.columnCount()) * MARGIN <= scan(count);
  }

  /**
   * The number of changed rows that may be read in addition to entries; negative if entries are too
   * expensive.
   */
  int maxChanged(long entries) {
    double nanos = scan(entries) / ENTRIES_MARGIN - entries(entries);
    return nanos < 0 ? -1 : (int) Math.min(rows, nanos / listed(1, query.columnCount()));
  }

  /** The number of rows above which reading them one by one is never cheap enough. */
  int maxListed() {
    double nanos = (filter + otherCells) / MARGIN / listed(1, query.columnCount());
    return (int) Math.min(rows, nanos);
  }

  /** The time to filter the rows of a MemRowSet. */
  static double memScan(int rows) {
    return rows * MEM_ROW;
  }

  /** The number of rows above which looking them up in a MemRowSet is too expensive. */
  static int maxMemRows(int rows, int columns) {
    return (int) (memScan(rows) / MARGIN / listed(1, columns));
  }
}
