package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.PageFilter;

/**
 * A test of one column's cells, NULLs included, that can also be decided by page statistics. An
 * index on the column can evaluate it.
 */
public interface ColumnTest extends PageFilter {
  /** The number of the column. */
  int column();

  /**
   * Clears the bits in {@code wanted} of cells that do not match.
   *
   * @param rowCount the number of cells
   */
  void filterCells(ColumnVector cells, int rowCount, long[] wanted);
}
