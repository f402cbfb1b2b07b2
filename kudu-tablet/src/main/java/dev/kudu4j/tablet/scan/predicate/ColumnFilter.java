package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.cfile.CellFilter;

/** A test of one column's cells, by which its pages can be judged as well. NULLs never match. */
public interface ColumnFilter extends CellFilter, PageFilter {
  /** The number of the column. */
  int column();
}
