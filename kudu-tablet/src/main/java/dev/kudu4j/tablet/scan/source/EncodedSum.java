package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.cfile.CellSum;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.scan.predicate.ColumnFilter;
import dev.kudu4j.tablet.scan.predicate.PageFilter.Verdict;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.io.IOException;

/**
 * Counts and sums a column of which an aggregation asks nothing else, and a scan no other column:
 * pages tell it as they are, so that neither a bitmap of rows nor a number is written down. Not
 * thread-safe.
 */
final class EncodedSum {
  private final int column;
  private final ColumnFilter test;
  private final CellSum sum = new CellSum();

  private EncodedSum(int column, ColumnFilter test) {
    this.column = column;
    this.test = test;
  }

  /** Null when the visitor or the scan asks more than one column. */
  static EncodedSum of(CompiledScan plan, BlockVisitor visitor) {
    int column = visitor.summedColumn();
    ColumnFilter test = plan.predicate().single();
    boolean onlyColumn = plan.predicate() == PredicateNode.ALL || test != null;
    return column >= 0 && onlyColumn && (test == null || test.column() == column)
        ? new EncodedSum(column, test)
        : null;
  }

  int column() {
    return column;
  }

  /**
   * Adds up the rows {@code [first, end)}, all of which are seen, and none of which has changed.
   *
   * @return what was found; null when the rows have to be looked at
   */
  CellSum of(ColumnReader reader, long first, long end) throws IOException {
    sum.clear();
    long ordinal = first;
    while (ordinal < end) {
      int page = reader.pageOf(ordinal);
      long pageEnd = Math.min(end, reader.firstOrdinal(page) + reader.rowCount(page));
      Verdict verdict = judge(reader, page);
      boolean told =
          verdict == Verdict.NONE
              || reader.sum(
                  ordinal, (int) (pageEnd - ordinal), verdict == Verdict.ALL ? null : test, sum);
      if (!told) {
        return null;
      }
      ordinal = pageEnd;
    }
    return sum;
  }

  private Verdict judge(ColumnReader reader, int page) {
    return test == null
        ? Verdict.ALL
        : test.judge(
            reader.rowCount(page),
            reader.nullCount(page),
            reader.minimum(page),
            reader.maximum(page));
  }
}
