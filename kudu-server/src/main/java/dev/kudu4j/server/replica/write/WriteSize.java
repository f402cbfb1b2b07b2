package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.row.RowOperations;

/**
 * How large the rows of a write are, which may be far more than the bytes sent: cells may share
 * their bytes, and a row may set few of many columns. Measured in the pass that checks the rows.
 *
 * @param textBytes of all text and binary cells, shared ones counted each time
 * @param memoryBytes upper estimate of what the rows take once they are applied
 */
public record WriteSize(long textBytes, long memoryBytes) {
  /** What a byte may take in memory once applied, with its key, row head and index. */
  private static final int APPLIED_BYTES_PER_BYTE = 4;

  /** The size of rows whose cells share no bytes. */
  static WriteSize packed(RowOperations rows) {
    return new WriteSize(rows.indirectLength(), (long) APPLIED_BYTES_PER_BYTE * rows.bytes());
  }
}
