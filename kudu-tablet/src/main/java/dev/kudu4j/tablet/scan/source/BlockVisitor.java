package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.cfile.CellSum;
import java.io.IOException;

/** Gets the rows of a scan where they lie, block by block. */
public interface BlockVisitor {
  /** Rows that the scan keeps, at least one. */
  void visit(SelectedRows rows) throws IOException;

  /** Rows that nobody needs to look at. */
  void count(long rows);

  /** The column whose count and sum is all that is asked of the rows, or -1. */
  default int summedColumn() {
    return -1;
  }

  /** The count and sum of that column of some rows that the scan keeps, in place of a visit. */
  default void add(CellSum sum) {
    throw new UnsupportedOperationException("No column is summed");
  }
}
