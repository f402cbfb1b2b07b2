package dev.kudu4j.client.scan;

import dev.kudu4j.common.schema.LittleEndian;
import java.util.Arrays;

/** Builds a columnar batch cell by cell, row after row. Not thread-safe. */
public final class ColumnarRowsBuilder {
  private static final int FIRST_ROWS = 64;
  private static final int FIRST_TEXT_BYTES = 256;

  private final CellLayout layout;
  private final byte[][] data;
  private final byte[][] text;
  private final byte[][] presence;
  private final int[] textBytes;
  private int rows;

  public ColumnarRowsBuilder(CellLayout layout) {
    this.layout = layout;
    int columns = layout.columnCount();
    this.data = new byte[columns][];
    this.text = new byte[columns][];
    this.presence = new byte[columns][];
    this.textBytes = new int[columns];
    for (int i = 0; i < columns; i++) {
      boolean variable = layout.type(i).isVariableLength();
      data[i] = new byte[variable ? (FIRST_ROWS + 1) * Integer.BYTES : FIRST_ROWS * width(i)];
      text[i] = variable ? new byte[FIRST_TEXT_BYTES] : null;
      presence[i] = layout.isNullable(i) ? new byte[FIRST_ROWS / Byte.SIZE] : null;
    }
  }

  private int width(int column) {
    return layout.type(column).width();
  }

  public int rowCount() {
    return rows;
  }

  /**
   * Sets a cell of the row that {@link #endRow} ends.
   *
   * @param cell the cell in cell form; null for NULL
   */
  public void set(int column, byte[] cell) {
    if (layout.type(column).isVariableLength()) {
      setText(column, cell);
    } else if (cell != null) {
      int at = rows * width(column);
      data[column] = room(data[column], at + cell.length);
      System.arraycopy(cell, 0, data[column], at, cell.length);
    } else {
      data[column] = room(data[column], (rows + 1) * width(column));
    }
    if (presence[column] != null) {
      presence[column] = room(presence[column], (rows >> 3) + 1);
      presence[column][rows >> 3] |= (byte) (cell == null ? 0 : 1 << (rows & 7));
    }
  }

  private void setText(int column, byte[] cell) {
    if (cell != null) {
      text[column] = room(text[column], textBytes[column] + cell.length);
      System.arraycopy(cell, 0, text[column], textBytes[column], cell.length);
      textBytes[column] += cell.length;
    }
    data[column] = room(data[column], (rows + 2) * Integer.BYTES);
    LittleEndian.putInt(data[column], (rows + 1) * Integer.BYTES, textBytes[column]);
  }

  private static byte[] room(byte[] array, int bytes) {
    return bytes <= array.length ? array : Arrays.copyOf(array, Math.max(bytes, 2 * array.length));
  }

  /** Ends a row, of which each cell was set. */
  public void endRow() {
    rows++;
  }

  /** The rows so far. The builder must not be used afterwards. */
  public ColumnarRows build() {
    return new ColumnarRows(rows, data, text, presence);
  }
}
