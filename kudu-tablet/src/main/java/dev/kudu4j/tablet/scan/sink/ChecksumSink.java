package dev.kudu4j.tablet.scan.sink;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Sums the CRC-32C of each row modulo 2^64. The result is equal on all replicas regardless of the
 * order of rows.
 *
 * <pre>
 *   row = per column: position in the projection u32
 *         | 1 present or 0 NULL, if nullable | cell, unless NULL
 * </pre>
 */
public final class ChecksumSink implements BatchSink {
  private final CRC32C crc = new CRC32C();
  private byte[] row = new byte[256];
  private long checksum;
  private long rowCount;

  /** Starts with the sum 0. */
  public ChecksumSink() {
    this(0);
  }

  /**
   * @param previous the sum to continue
   */
  public ChecksumSink(long previous) {
    this.checksum = previous;
  }

  @Override
  public void add(ColumnBatch batch) {
    for (int i = 0; i < batch.rowCount(); i++) {
      checksum += checksumOf(batch, i);
    }
    rowCount += batch.rowCount();
  }

  private long checksumOf(ColumnBatch batch, int index) {
    int length = 0;
    for (int i = 0; i < batch.schema().columnCount(); i++) {
      length = putCell(batch.column(i), i, index, length);
    }
    crc.reset();
    crc.update(row, 0, length);
    return crc.getValue();
  }

  /** Writes one cell at {@code at} and returns its end. */
  private int putCell(ColumnVector column, int position, int index, int at) {
    boolean present = !column.isNull(index);
    int bytes = present ? column.cellLength(index) : 0;
    int needed = at + 5 + bytes;
    if (needed > row.length) {
      row = Arrays.copyOf(row, Math.max(needed, 2 * row.length));
    }
    LittleEndian.putInt(row, at, position);
    int end = at + 4;
    if (column.isNullable()) {
      row[end++] = (byte) (present ? 1 : 0);
    }
    if (present) {
      Memory.copy(column.cellAddress(index), row, end, bytes);
    }
    return end + bytes;
  }

  @Override
  public long rowCount() {
    return rowCount;
  }

  /** The sum, unsigned. */
  public long checksum() {
    return checksum;
  }
}
