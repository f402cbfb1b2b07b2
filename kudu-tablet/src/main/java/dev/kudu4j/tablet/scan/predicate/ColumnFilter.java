package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.cfile.CellFilter;
import dev.kudu4j.tablet.scan.block.PageFilter;

/**
 * A filter on one column's cells that can also be evaluated on page statistics. NULLs never match.
 */
public interface ColumnFilter extends CellFilter, PageFilter {
  /** The number of the column. */
  int column();
}
