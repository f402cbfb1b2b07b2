package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.cfile.CellTest;

/** A test of one column's cells, by which its pages can be judged as well. NULLs never match. */
public interface ColumnTest extends CellTest, PageJudge {
  /** The number of the column. */
  int column();
}
