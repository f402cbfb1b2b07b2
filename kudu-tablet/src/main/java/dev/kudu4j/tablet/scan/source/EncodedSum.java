package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.cfile.CellSum;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.scan.block.PageFilter.Verdict;
import dev.kudu4j.tablet.scan.predicate.ColumnFilter;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Counts and sums a column on its encoded pages, for an aggregation that needs nothing else and a
 * scan that reads no other column. It materializes neither a bitmap of rows nor decoded numbers.
 * Not thread-safe.
 */
final class EncodedSum {
  private final int column;
  private final @Nullable ColumnFilter test; // null if all rows are wanted
  private final PageVerdicts verdicts;
  private final CellSum sum = new CellSum();

  private EncodedSum(int column, @Nullable ColumnFilter test, PageVerdicts verdicts) {
    this.column = column;
    this.test = test;
    this.verdicts = verdicts;
  }

  /**
   * The sum for the visitor; null if the visitor or the scan needs more than one column.
   *
   * @param verdicts those of the rowset
   */
  static @Nullable EncodedSum of(CompiledScan plan, BlockVisitor visitor, PageVerdicts verdicts) {
    int column = visitor.summedColumn();
    ColumnFilter test = plan.predicate().asColumnFilter();
    boolean onlyColumn = plan.predicate() == PredicateNode.ALL || test != null;
    return column >= 0 && onlyColumn && (test == null || test.column() == column)
        ? new EncodedSum(column, test, verdicts)
        : null;
  }

  int column() {
    return column;
  }

  /**
   * Sums the rows {@code [first, end)}. All of them are visible and none has changed.
   *
   * @return the count and the sum; null if the encoding of a page does not support the sum, so the
   *     rows must be visited
   */
  @Nullable CellSum of(ColumnReader reader, long first, long end) throws IOException {
    sum.clear();
    long ordinal = first;
    while (ordinal < end) {
      int page = reader.pageOf(ordinal);
      long pageEnd = Math.min(end, reader.firstOrdinal(page) + reader.rowCount(page));
      Verdict verdict = judge(reader, page);
      boolean evaluated =
          verdict == Verdict.NONE
              || reader.sum(
                  ordinal, (int) (pageEnd - ordinal), verdict == Verdict.ALL ? null : test, sum);
      if (!evaluated) {
        return null;
      }
      ordinal = pageEnd;
    }
    return sum;
  }

  private Verdict judge(ColumnReader reader, int page) {
    if (test == null) {
      return Verdict.ALL;
    }
    Verdict verdict =
        test.judge(
            reader.rowCount(page),
            reader.nullCount(page),
            reader.minimum(page),
            reader.maximum(page));
    verdicts.count(column, page, test, verdict);
    return verdict;
  }
}
