package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.CellFilter;
import java.io.IOException;

/**
 * Some neighbouring rows of one source, as the predicate tree sees them. Columns are numbered as
 * the compiler was told.
 */
public interface RowBlock {
  /**
   * Drops the rows of pages whose statistics rule them out, as far as nothing has changed their
   * cells since.
   *
   * @return whether all rows that are left are certain to match, so that no cell need be read
   */
  boolean prune(int column, PageFilter judge, SelectionBitmap rows) throws IOException;

  /**
   * Drops the rows whose cells do not match, as far as that can be told from encoded pages.
   *
   * @return whether it has been told of all rows, so that no cell need be read
   */
  default boolean filter(int column, CellFilter test, SelectionBitmap rows) throws IOException {
    return false;
  }

  /**
   * The cells of a column for at least the selected rows, changes applied. Belongs to the block;
   * valid until the next block.
   */
  ColumnVector cells(int column, SelectionBitmap rows) throws IOException;

  /** The row of the block that row 0 of {@link #cells} is; a multiple of 64. */
  int firstRow(int column);
}
