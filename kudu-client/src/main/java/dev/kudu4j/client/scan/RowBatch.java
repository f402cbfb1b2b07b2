package dev.kudu4j.client.scan;

import dev.kudu4j.common.key.KeyBuffer;

/** Rows of a tablet on the heap, row-wise or columnar, as received. */
public sealed interface RowBatch permits RowwiseRows, ColumnarRows {
  int count();

  /** A copy of a cell, in cell form; null for NULL. */
  byte[] cell(CellLayout layout, int column, int row);

  /**
   * Appends a cell, which is not NULL, in key encoding.
   *
   * @param last whether the column is the last of the key
   */
  void appendKeyCell(CellLayout layout, int column, int row, boolean last, KeyBuffer out);
}
