package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.row.RowOperations;

/**
 * The size of a write's rows, which may far exceed the bytes sent: cells may share their bytes, and
 * a row may set few of many columns. The size is measured while the rows are checked.
 *
 * @param textBytes bytes of all text and binary cells; shared bytes are counted for each cell
 * @param memoryBytes upper estimate of the memory that the rows occupy once applied
 */
public record WriteSize(long textBytes, long memoryBytes) {
  /**
   * Upper estimate of the memory that a byte of row data occupies once applied, including key, row
   * header and index.
   */
  private static final int APPLIED_BYTES_PER_BYTE = 4;

  /** The size of rows whose cells share no bytes. */
  static WriteSize packed(RowOperations rows) {
    return new WriteSize(rows.indirectLength(), (long) APPLIED_BYTES_PER_BYTE * rows.bytes());
  }
}
