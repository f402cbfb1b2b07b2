package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.scan.block.PageFilter;
import dev.kudu4j.tablet.scan.predicate.ColumnTest;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the time of the ways to read the matching rows of a range of a DiskRowSet. The
 * constants are nanoseconds on one core, from {@code bench parts IndexScan} and {@code bench
 * index}; only their ratios matter.
 *
 * <pre>
 *   scan:    the cells of the cheapest filter, in pages that statistics do not exclude
 *            + the projected columns: a visit of the page for each row, until most cells are decoded
 *   listed:  rows one by one, by ordinal
 *   entries: the cells of all columns in the pages of the range, and the ordinals if some entries
 *            must be left out
 * </pre>
 *
 * <p>Rows are listed only if that costs clearly less than the scan, so that a wrong estimate makes
 * a scan little slower. Entries are read as the rows of a scan, so their cost is compared with less
 * margin.
 */
final class IndexCost {
  /** A search for rows to list, however few it finds. */
  static final double SEARCH = 20_000;

  private static final double FILTER_NUMBER = 0.7;
  private static final double FILTER_TEXT = 8;
  private static final double DECODE_NUMBER = 1.5;
  private static final double DECODE_TEXT = 8;

  /** A matching row that is alone in its page: per column. */
  private static final double VISIT = 1300;

  private static final double LISTED_ROW = 300;
  private static final double LISTED_CELL = 180;

  /** An entry whose ordinal is read and tested. */
  private static final double ORDINAL = 4;

  private static final double MARGIN = 1.3;
  private static final double ENTRIES_MARGIN = 1.2;

  private final IndexSearch.Query query;
  private final long from;
  private final long to;
  private final double share; // of the rows of the rowset
  private final double filter;
  private final double projectedCells; // of all rows in the range
  private final double entryCells; // of one entry
  private final boolean whole;

  /** The costs of the rows {@code [from, to)} of a DiskRowSet. */
  IndexCost(IndexSearch.Query query, DiskRowSet rowSet, long from, long to) {
    this.query = query;
    this.from = from;
    this.to = to;
    long rows = rowSet.base().rowCount();
    this.share = (double) (to - from) / rows;
    this.whole = to - from == rows;
    double cheapest = Double.MAX_VALUE;
    BitSet filtered = new BitSet();
    for (PredicateNode conjunct : query.predicate().conjuncts()) {
      double nanos = 0;
      for (PredicateNode part : conjunct.alternatives()) {
        ColumnTest test = part.asColumnTest();
        nanos += filterNanos(rowSet, test);
        if (test != null) {
          filtered.set(test.column());
        }
      }
      cheapest = Math.min(cheapest, nanos);
    }
    this.filter = cheapest;
    double projected = 0;
    double entry = 0;
    for (int column = 0; column < query.columnCount(); column++) {
      boolean text = query.columns().apply(column).type().isVariableLength();
      double decode = query.projected().get(column) ? text ? DECODE_TEXT : DECODE_NUMBER : 0;
      double test = filtered.get(column) ? text ? FILTER_TEXT : FILTER_NUMBER : 0;
      projected += decode;
      entry += decode + test;
    }
    this.projectedCells = projected * (to - from);
    this.entryCells = entry;
  }

  /** The time to evaluate a test on the pages of the range that statistics do not exclude. */
  private double filterNanos(DiskRowSet rowSet, @Nullable ColumnTest test) {
    if (test == null) {
      return (to - from) * FILTER_TEXT;
    }
    try (ColumnReader reader = rowSet.onDisk().openColumn(query.columnId(test))) {
      if (reader == null) {
        return 0;
      }
      double perCell = reader.column().type().isVariableLength() ? FILTER_TEXT : FILTER_NUMBER;
      long wanted = 0;
      for (int page = reader.pageOf(from); page < reader.pageCount(); page++) {
        long first = reader.firstOrdinal(page);
        if (first >= to) {
          break;
        }
        PageFilter.Verdict verdict =
            test.judge(
                reader.rowCount(page),
                reader.nullCount(page),
                reader.minimum(page),
                reader.maximum(page));
        long end = Math.min(to, first + reader.rowCount(page));
        wanted += verdict == PageFilter.Verdict.NONE ? 0 : end - Math.max(from, first);
      }
      return wanted * perCell;
    }
  }

  /**
   * A scan of the range.
   *
   * @param matching the number of rows that match in the whole rowset
   */
  double scan(long matching) {
    return filter
        + Math.min(projectedCells, share * matching * VISIT * query.projected().cardinality());
  }

  /** Reading rows one by one. */
  static double listed(long count, int columns) {
    return count * (LISTED_ROW + columns * LISTED_CELL);
  }

  /**
   * Reading a number of entries.
   *
   * @param changed rows that are read one by one instead
   */
  double entries(long count, long changed) {
    double ordinal = whole && changed == 0 ? 0 : ORDINAL;
    return count * (entryCells + ordinal) + listed(changed, query.columnCount());
  }

  /** Whether rows that are read one by one cost little enough. */
  boolean isListedCheap(long count) {
    return listed(count, query.columnCount()) * MARGIN <= filter + projectedCells(count);
  }

  private double projectedCells(long count) {
    return Math.min(projectedCells, count * VISIT * query.projected().cardinality());
  }

  /** Whether entries cost little enough. */
  boolean isEntriesCheap(long count, long changed) {
    return entries(count, changed) * ENTRIES_MARGIN <= scan(count);
  }

  /**
   * The number of changed rows above which entries are too expensive; negative if they always are.
   */
  int maxChanged(long entries) {
    double nanos = scan(entries) / ENTRIES_MARGIN - entries(entries, 0);
    return nanos < 0 ? -1 : (int) Math.min(to - from, nanos / listed(1, query.columnCount()));
  }

  /** The number of rows above which reading them one by one is never cheap enough. */
  int maxListed() {
    double nanos = (filter + projectedCells) / MARGIN / listed(1, query.columnCount());
    return (int) Math.min(to - from, nanos);
  }
}
