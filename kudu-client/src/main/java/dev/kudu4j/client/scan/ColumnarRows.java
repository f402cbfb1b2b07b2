package dev.kudu4j.client.scan;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import java.util.Arrays;

/**
 * A batch of rows, column by column, as received.
 *
 * @param data for each column its cells without padding; for a column of variable length 32-bit
 *     offsets into its text: a 0, then the end of each cell
 * @param text for each column of variable length its bytes; null for others
 * @param presence for each nullable column one bit per row, set unless NULL; null for a column
 *     without NULLs
 */
@SuppressWarnings("ArrayRecordComponent") // shared with readers, never compared
public record ColumnarRows(int count, byte[][] data, byte[][] text, byte[][] presence)
    implements RowBatch {
  @Override
  public byte[] cell(CellLayout layout, int column, int row) {
    byte[] present = presence[column];
    if (present != null && (present[row >> 3] >> (row & 7) & 1) == 0) {
      return null;
    }
    DataType type = layout.type(column);
    if (type.isVariableLength()) {
      int from = LittleEndian.getInt(data[column], row * Integer.BYTES);
      int to = LittleEndian.getInt(data[column], (row + 1) * Integer.BYTES);
      return Arrays.copyOfRange(text[column], from, to);
    }
    int width = type.width();
    return Arrays.copyOfRange(data[column], row * width, (row + 1) * width);
  }

  @Override
  public void appendKeyCell(CellLayout layout, int column, int row, boolean last, KeyBuffer out) {
    DataType type = layout.type(column);
    byte[] cells = data[column];
    if (type.isVariableLength()) {
      int from = LittleEndian.getInt(cells, row * Integer.BYTES);
      int to = LittleEndian.getInt(cells, (row + 1) * Integer.BYTES);
      KeyEncoder.appendCell(type, text[column], from, to - from, last, out);
    } else {
      KeyEncoder.appendCell(type, cells, row * type.width(), type.width(), last, out);
    }
  }
}
