package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.CellFilter;
import dev.kudu4j.tablet.scan.block.PageFilter;

/**
 * A filter on one column's cells that can also be evaluated on page statistics. NULLs never match.
 */
public interface ColumnFilter extends CellFilter, PageFilter {
  /** The number of the column. */
  int column();

  /**
   * Clears the bits in {@code wanted} of cells that do not match, NULLs included.
   *
   * @param rowCount the number of cells
   */
  void filterCells(ColumnVector cells, int rowCount, long[] wanted);
}
