package dev.kudu4j.client.scan;

import dev.kudu4j.common.key.KeyBuffer;

/** Some rows of a tablet on the heap, in either form in which they travel. */
public sealed interface RowBatch permits RowwiseRows, ColumnarRows {
  int count();

  /**
   * Appends a cell that is not NULL as keys have it.
   *
   * @param last whether the column is the last of the key
   */
  void appendKeyCell(CellLayout layout, int column, int row, boolean last, KeyBuffer out);
}
