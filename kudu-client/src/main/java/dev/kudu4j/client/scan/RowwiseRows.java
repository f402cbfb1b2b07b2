package dev.kudu4j.client.scan;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import java.util.Arrays;

/**
 * A batch of rows, row by row, as received; see {@link CellLayout}.
 *
 * @param indirect text and binary of all rows; empty when there is none
 */
@SuppressWarnings("ArrayRecordComponent") // shared with readers, never compared
public record RowwiseRows(int count, byte[] rows, byte[] indirect) implements RowBatch {
  @Override
  public byte[] cell(CellLayout layout, int column, int row) {
    int start = row * layout.rowBytes();
    int bit = start + layout.bitmapOffset() + (column >> 3);
    if (layout.isNullable(column) && (rows[bit] >> (column & 7) & 1) != 0) {
      return null;
    }
    int at = start + layout.offset(column);
    DataType type = layout.type(column);
    if (type.isVariableLength()) {
      int from = (int) LittleEndian.getLong(rows, at);
      int length = (int) LittleEndian.getLong(rows, at + Long.BYTES);
      return Arrays.copyOfRange(indirect, from, from + length);
    }
    return Arrays.copyOfRange(rows, at, at + type.width());
  }

  @Override
  public void appendKeyCell(CellLayout layout, int column, int row, boolean last, KeyBuffer out) {
    DataType type = layout.type(column);
    int at = row * layout.rowBytes() + layout.offset(column);
    if (type.isVariableLength()) {
      int from = (int) LittleEndian.getLong(rows, at);
      int length = (int) LittleEndian.getLong(rows, at + Long.BYTES);
      KeyEncoder.appendCell(type, indirect, from, length, last, out);
    } else {
      KeyEncoder.appendCell(type, rows, at, type.width(), last, out);
    }
  }
}
