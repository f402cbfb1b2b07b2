package dev.kudu4j.tablet.scan.sink;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A batch as packed rows.
 *
 * <pre>
 *   row      = cells in projection order, no padding
 *              | NULL bitmap, bit set = NULL, if any column is nullable
 *   text     = offset u64, length u64 into the indirect buffer
 *   indirect = the text of the first text column, then of the second, ...
 * </pre>
 *
 * <p>Encodes column by column and copies each cell directly from the batch to its final position.
 * Owns its two buffers until {@link #close}.
 */
public final class RowwiseResult implements AutoCloseable {
  private static final int TEXT_BYTES = 16;
  private static final int TIME_PADDING_BYTES = 8;

  private final int rowCount;
  private @Nullable ArrowBuf rows; // null before it is encoded, and once closed
  private @Nullable ArrowBuf indirect;

  private RowwiseResult(int rowCount) {
    this.rowCount = rowCount;
  }

  /**
   * Encodes a batch, which is borrowed.
   *
   * @param allocator shared
   * @param padTimes whether a UNIXTIME_MICROS cell takes 16 bytes, of which the last 8 are zero
   */
  public static RowwiseResult of(ColumnBatch batch, BufferAllocator allocator, boolean padTimes) {
    RowwiseResult result = new RowwiseResult(batch.rowCount());
    try {
      result.encode(batch, allocator, padTimes);
      return result;
    } catch (RuntimeException | Error e) {
      result.close();
      throw e;
    }
  }

  public int rowCount() {
    return rowCount;
  }

  /** The rows; empty without rows or columns. Borrowed. */
  public ArrowBuf rows() {
    assert rows != null : "the result is closed";
    return rows;
  }

  /** The text; null if there is none. Borrowed. */
  public @Nullable ArrowBuf indirect() {
    return indirect;
  }

  private void encode(ColumnBatch batch, BufferAllocator allocator, boolean padTimes) {
    Schema schema = batch.schema();
    int bitmapOffset = 0;
    long textBytes = 0;
    for (int i = 0; i < schema.columnCount(); i++) {
      bitmapOffset += cellBytes(schema.column(i).type(), padTimes);
      textBytes += batch.column(i).varlenBytes();
    }
    int bitmapBytes = schema.hasNullableColumns() ? (schema.columnCount() + 7) >>> 3 : 0;
    int rowBytes = bitmapOffset + bitmapBytes;
    ArrowBuf cells = allocate(allocator, (long) rowBytes * rowCount);
    rows = cells;
    indirect = textBytes > 0 ? allocate(allocator, textBytes) : null;
    if (rowCount == 0 || rowBytes == 0) {
      return;
    }
    zeroBitmaps(cells.memoryAddress() + bitmapOffset, rowBytes, bitmapBytes);
    int offset = 0;
    long text = 0;
    for (int i = 0; i < schema.columnCount(); i++) {
      ColumnVector column = batch.column(i);
      DataType type = schema.column(i).type();
      putCells(column, cells.memoryAddress() + offset, rowBytes, text, padTimes);
      putNulls(column, cells.memoryAddress() + bitmapOffset + (i >>> 3), rowBytes, 1 << (i & 7));
      offset += cellBytes(type, padTimes);
      text += column.varlenBytes();
    }
  }

  private static ArrowBuf allocate(BufferAllocator allocator, long bytes) {
    if (bytes > Integer.MAX_VALUE) {
      throw KuduException.illegalState(
          "%d bytes of rows do not fit into a response; request smaller batches", bytes);
    }
    return bytes == 0 ? allocator.getEmpty() : allocator.buffer(bytes).slice(0, bytes);
  }

  private static int cellBytes(DataType type, boolean padTimes) {
    if (type.isVariableLength()) {
      return TEXT_BYTES;
    }
    return isPadded(type, padTimes) ? type.width() + TIME_PADDING_BYTES : type.width();
  }

  private static boolean isPadded(DataType type, boolean padTimes) {
    return padTimes && type == DataType.UNIXTIME_MICROS;
  }

  private void zeroBitmaps(long first, int rowBytes, int bitmapBytes) {
    long at = first;
    for (int row = 0; row < rowCount && bitmapBytes > 0; row++, at += rowBytes) {
      for (int i = 0; i < bitmapBytes; i++) {
        Memory.putByte(at + i, (byte) 0);
      }
    }
  }

  private void putCells(
      ColumnVector column, long to, int rowBytes, long textOffset, boolean padTimes) {
    long from = column.dataAddress();
    if (column.type().isVariableLength()) {
      putText(column, to, rowBytes, textOffset);
      return;
    }
    switch (column.type().width()) {
      case 1 -> putBytes(from, to, rowBytes, rowCount);
      case 2 -> putShorts(from, to, rowBytes, rowCount);
      case 4 -> putInts(from, to, rowBytes, rowCount);
      case 8 -> putLongs(from, to, rowBytes, rowCount);
      default -> putWide(from, to, rowBytes, rowCount);
    }
    if (isPadded(column.type(), padTimes)) {
      long padding = to + column.type().width();
      for (int row = 0; row < rowCount; row++) {
        Memory.putLong(padding + (long) row * rowBytes, 0);
      }
    }
  }

  /** Writes offset and length of each text; zeros for a NULL. */
  private void putText(ColumnVector column, long to, int rowBytes, long textOffset) {
    if (column.varlenBytes() > 0) {
      assert indirect != null : "there is text";
      Memory.copy(
          column.varlenAddress(), indirect.memoryAddress() + textOffset, column.varlenBytes());
    }
    long offsets = column.dataAddress();
    int start = Memory.getInt(offsets);
    for (int row = 0; row < rowCount; row++) {
      int end = Memory.getInt(offsets + 4L * (row + 1));
      long at = to + (long) row * rowBytes;
      Memory.putLong(at, column.isNull(row) ? 0 : textOffset + start);
      Memory.putLong(at + 8, end - start);
      start = end;
    }
  }

  private static void putBytes(long from, long to, int rowBytes, int rows) {
    for (int i = 0; i < rows; i++) {
      Memory.putByte(to + (long) i * rowBytes, Memory.getByte(from + i));
    }
  }

  private static void putShorts(long from, long to, int rowBytes, int rows) {
    for (int i = 0; i < rows; i++) {
      Memory.putShort(to + (long) i * rowBytes, Memory.getShort(from + 2L * i));
    }
  }

  private static void putInts(long from, long to, int rowBytes, int rows) {
    for (int i = 0; i < rows; i++) {
      Memory.putInt(to + (long) i * rowBytes, Memory.getInt(from + 4L * i));
    }
  }

  private static void putLongs(long from, long to, int rowBytes, int rows) {
    for (int i = 0; i < rows; i++) {
      Memory.putLong(to + (long) i * rowBytes, Memory.getLong(from + 8L * i));
    }
  }

  private static void putWide(long from, long to, int rowBytes, int rows) {
    for (int i = 0; i < rows; i++) {
      Memory.putLong(to + (long) i * rowBytes, Memory.getLong(from + 16L * i));
      Memory.putLong(to + (long) i * rowBytes + 8, Memory.getLong(from + 16L * i + 8));
    }
  }

  private void putNulls(ColumnVector column, long bitmap, int rowBytes, int bit) {
    if (!column.isNullable()) {
      return;
    }
    long presence = column.presenceAddress();
    for (int row = 0; row < rowCount; row++) {
      int present = Memory.getByte(presence + (row >>> 3)) >>> (row & 7) & 1;
      if (present == 0) {
        long at = bitmap + (long) row * rowBytes;
        Memory.putByte(at, (byte) (Memory.getByte(at) | bit));
      }
    }
  }

  @Override
  public void close() {
    if (rows != null) {
      rows.getReferenceManager().release();
      rows = null;
    }
    if (indirect != null) {
      indirect.getReferenceManager().release();
      indirect = null;
    }
  }
}
