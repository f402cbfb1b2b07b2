package dev.kudu4j.common.row;

import dev.kudu4j.common.status.KuduException;

/**
 * A cursor over packed row operations. One object serves a whole batch; nothing is allocated per
 * row or cell, and the bytes are used where they lie.
 *
 * <pre>
 *   while (reader.next()) {
 *     reader.type(); reader.isSet(c); reader.isNull(c);
 *     reader.cellArray(c), reader.cellOffset(c), reader.cellLength(c)      // cell form, little-endian
 *   }
 * </pre>
 *
 * <p>A column means the index in the layout. A cell's accessors may be called only when it is set
 * and not null. Not thread-safe.
 */
public final class RowOperationsReader {
  /**
   * @param rows array that holds the fixed part at {@code [rowsOffset, rowsOffset + rowsLength)}
   * @param indirect array that holds the text and binary bytes
   */
  public RowOperationsReader(
      RowLayout layout,
      byte[] rows,
      int rowsOffset,
      int rowsLength,
      byte[] indirect,
      int indirectOffset,
      int indirectLength) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Moves to the next operation.
   *
   * @return false at the end
   * @throws KuduException CORRUPTION for truncated rows, a slice outside the indirect data or NULL
   *     in a column that is not nullable; NOT_SUPPORTED for an unknown operation type
   */
  public boolean next() {
    throw new UnsupportedOperationException("stub");
  }

  /** Position of the current operation in the batch, from 0. */
  public int rowIndex() {
    throw new UnsupportedOperationException("stub");
  }

  public OperationType type() {
    throw new UnsupportedOperationException("stub");
  }

  public boolean isSet(int column) {
    throw new UnsupportedOperationException("stub");
  }

  /** Whether the column is set to NULL. */
  public boolean isNull(int column) {
    throw new UnsupportedOperationException("stub");
  }

  public byte[] cellArray(int column) {
    throw new UnsupportedOperationException("stub");
  }

  public int cellOffset(int column) {
    throw new UnsupportedOperationException("stub");
  }

  public int cellLength(int column) {
    throw new UnsupportedOperationException("stub");
  }
}
