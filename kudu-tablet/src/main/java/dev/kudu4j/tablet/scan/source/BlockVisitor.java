package dev.kudu4j.tablet.scan.source;

import java.io.IOException;

/** Gets the rows of a scan where they lie, block by block. */
public interface BlockVisitor {
  /** Rows that the scan keeps, at least one. */
  void visit(SelectedRows rows) throws IOException;

  /** Rows that nobody needs to look at. */
  void count(long rows);
}
