package dev.kudu4j.common.row;

/**
 * Packed row operations in the format of the wire and of the log: a fixed part with one entry per
 * operation, and the bytes of the text and binary cells, to which the fixed part refers by offset.
 * {@link RowOperationsReader} reads them.
 *
 * <p>The arrays are borrowed and may contain other bytes as well. They must not change as long as
 * this object is in use.
 *
 * @param layout the columns of the operations
 * @param rows array that contains the fixed part at {@code [rowsOffset, rowsOffset + rowsLength)}
 * @param indirect array that contains the text and binary bytes at {@code [indirectOffset,
 *     indirectOffset + indirectLength)}
 */
public record RowOperations(
    RowLayout layout,
    byte[] rows,
    int rowsOffset,
    int rowsLength,
    byte[] indirect,
    int indirectOffset,
    int indirectLength) {
  /** Operations in arrays that contain nothing else. */
  public static RowOperations of(RowLayout layout, byte[] rows, byte[] indirect) {
    return new RowOperations(layout, rows, 0, rows.length, indirect, 0, indirect.length);
  }

  /**
   * Bytes of the fixed part and of the text and binary cells. Bytes that several cells share count
   * once.
   */
  public int bytes() {
    return rowsLength + indirectLength;
  }

  /** A new reader, before the first operation. */
  public RowOperationsReader reader() {
    return new RowOperationsReader(this);
  }
}
