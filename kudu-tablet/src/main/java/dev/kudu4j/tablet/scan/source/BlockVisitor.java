package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.cfile.CellSum;
import dev.kudu4j.tablet.scan.block.RowBlock;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Receives the rows of a scan block by block. The rows stay in the memory of their source. */
public interface BlockVisitor {
  /** Receives the selected rows of a block, at least one. */
  void visit(RowBlock rows) throws IOException;

  /**
   * Receives a number of rows, instead of a call of {@link #visit}. Called only if {@link
   * #onlyCounts}, and with {@link #addSummary(ColumnSummary)}.
   */
  void count(long rows);

  /** Whether the visitor needs only the number of rows. */
  boolean onlyCounts();

  /**
   * The columns of which summaries are all that the visitor needs besides the number of rows; null
   * if it needs anything else.
   */
  default int @Nullable [] summarizedColumns() {
    return null;
  }

  /** Receives one of {@link #summarizedColumns} of the rows of the next {@link #count}. */
  default void addSummary(ColumnSummary summary) {
    throw new UnsupportedOperationException("The visitor does not need summaries");
  }

  /**
   * The column whose count and sum are all that the visitor needs; -1 if it needs anything else.
   */
  default int summedColumn() {
    return -1;
  }

  /**
   * Receives the count and sum of {@link #summedColumn} over some selected rows, instead of a call
   * of {@link #visit} for these rows.
   */
  default void add(CellSum sum) {
    throw new UnsupportedOperationException("The visitor does not sum a column");
  }
}
