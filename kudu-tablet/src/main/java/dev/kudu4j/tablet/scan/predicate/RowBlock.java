package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.CellFilter;
import java.io.IOException;

/**
 * Some consecutive rows of one source, as input of the predicate tree. The caller of {@link
 * PredicateCompiler} defines the column numbers.
 */
public interface RowBlock {
  /**
   * Drops the rows of pages whose statistics exclude a match. Keeps rows whose cells have changed
   * since the page was written.
   *
   * @return whether all remaining rows are certain to match, so no cell needs to be read
   */
  boolean prune(int column, PageFilter judge, SelectionBitmap rows) throws IOException;

  /**
   * Drops the rows whose cells do not match, as far as the encoded pages can evaluate the filter.
   *
   * @return whether the filter was evaluated for all rows, so no cell needs to be read
   */
  default boolean filter(int column, CellFilter test, SelectionBitmap rows) throws IOException {
    return false;
  }

  /**
   * The cells of a column, with changes applied, for at least the selected rows. Belongs to the
   * block; valid until the next block.
   */
  ColumnVector cells(int column, SelectionBitmap rows) throws IOException;

  /** The row of the block that corresponds to row 0 of {@link #cells}; a multiple of 64. */
  int firstRow(int column);
}
