package dev.kudu4j.tablet.memrowset;

import dev.kudu4j.common.schema.Schema;

/** Where each cell of a row of one schema lies in memory. Immutable. */
public final class RowFormat {
  public Schema schema() {
    throw new UnsupportedOperationException("stub");
  }

  public boolean isNull(long row, int column) {
    throw new UnsupportedOperationException("stub");
  }

  /** Address of the cell form; for text and binary of the bytes. Not for a NULL. */
  public long cellAddress(long row, int column) {
    throw new UnsupportedOperationException("stub");
  }

  public int cellLength(long row, int column) {
    throw new UnsupportedOperationException("stub");
  }
}
