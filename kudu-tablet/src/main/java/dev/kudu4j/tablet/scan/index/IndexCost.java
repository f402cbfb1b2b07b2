package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.scan.block.PageFilter;
import dev.kudu4j.tablet.scan.predicate.ColumnFilter;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import org.jspecify.annotations.Nullable;

/**
 * Estimates what a scan of a rowset costs, and how many single rows cost as much.
 *
 * <p>The constants are nanoseconds on one core, measured by the benchmarks; only their ratios
 * matter. An index is used if it costs at most half of the scan, so that a wrong estimate makes a
 * scan little slower.
 */
final class IndexCost {
  private static final double TEXT_CELL = 8;
  private static final double NUMBER_CELL = 0.6;
  private static final double ROW = 600;
  private static final double MARGIN = 2;

  /** A row of a MemRowSet that a scan filters. */
  private static final double MEM_ROW = 30;

  private IndexCost() {}

  /** The maximum number of rows that an index of a MemRowSet may return. */
  static int maxMemRows(int rows) {
    return (int) (rows * MEM_ROW / MARGIN / ROW);
  }

  /** The maximum number of rows that an index may return. */
  static int maxRows(IndexSearch.Query query, DiskRowSet rowSet, int rows) {
    double cheapest = Double.MAX_VALUE;
    for (PredicateNode conjunct : query.predicate().conjuncts()) {
      double nanos = 0;
      for (PredicateNode part : conjunct.alternatives()) {
        nanos += filterNanos(query, rowSet, part.asColumnFilter(), rows);
      }
      cheapest = Math.min(cheapest, nanos);
    }
    return (int) Math.min(rows, cheapest / MARGIN / ROW);
  }

  /** The time to evaluate a filter on the pages that statistics do not decide. */
  private static double filterNanos(
      IndexSearch.Query query, DiskRowSet rowSet, @Nullable ColumnFilter filter, int rows) {
    if (filter == null) {
      return rows * TEXT_CELL;
    }
    int id = query.columns().apply(filter.column()).id();
    try (ColumnReader reader = rowSet.onDisk().openColumn(id)) {
      if (reader == null) {
        return 0;
      }
      double perCell = reader.column().type().isVariableLength() ? TEXT_CELL : NUMBER_CELL;
      long undecided = 0;
      for (int page = 0; page < reader.pageCount(); page++) {
        PageFilter.Verdict verdict =
            filter.judge(
                reader.rowCount(page),
                reader.nullCount(page),
                reader.minimum(page),
                reader.maximum(page));
        undecided += verdict == PageFilter.Verdict.NONE ? 0 : reader.rowCount(page);
      }
      return undecided * perCell;
    }
  }
}
