package dev.kudu4j.tablet.memrowset;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;

/**
 * The memory layout of the rows of one schema. Immutable.
 *
 * <pre>
 *   body = NULL bitmap (only if a column is nullable; bit set: NULL)
 *        | cells at fixed offsets | text
 *   a cell of text = offset i32 from the row's address, length i32
 * </pre>
 */
public final class RowFormat {
  private static final int VARLEN_CELL_BYTES = 8;

  private final Schema schema;
  private final int bitmapBytes;

  /** The offset of each column's cell from the start of the body, by column index. */
  private final int[] cellOffsets;

  /** Width of the cell form by column index; 0 for text. */
  private final int[] widths;

  private final int fixedBytes;

  RowFormat(Schema schema) {
    this.schema = schema;
    int columns = schema.columnCount();
    this.bitmapBytes = schema.hasNullableColumns() ? (columns + 7) >>> 3 : 0;
    this.cellOffsets = new int[columns];
    this.widths = new int[columns];
    int offset = bitmapBytes;
    for (int i = 0; i < columns; i++) {
      ColumnSchema column = schema.column(i);
      widths[i] = column.type().width();
      cellOffsets[i] = offset;
      offset += widths[i] == 0 ? VARLEN_CELL_BYTES : widths[i];
    }
    this.fixedBytes = offset;
  }

  public Schema schema() {
    return schema;
  }

  /** The size of a row of the schema without its key and its text. */
  public static int fixedRowBytes(Schema schema) {
    return MemRow.KEY_OFFSET + new RowFormat(schema).fixedBytes;
  }

  /** The start of a row's body. */
  public static long body(long row) {
    return MemRow.body(row);
  }

  /** The offset of a fixed-width cell from the start of the body; a NULL cell contains zeros. */
  public int cellOffset(int column) {
    assert widths[column] > 0;
    return cellOffsets[column];
  }

  public boolean isNull(long row, int column) {
    return bitmapBytes != 0
        && (Memory.getByte(MemRow.body(row) + (column >>> 3)) & (1 << (column & 7))) != 0;
  }

  /**
   * The address of a cell's value. Text and binary values are after the fixed-offset cells of the
   * body. The cell must not be NULL.
   */
  public long cellAddress(long row, int column) {
    long cell = MemRow.body(row) + cellOffsets[column];
    return widths[column] == 0 ? row + Memory.getInt(cell) : cell;
  }

  /** The length of a cell in bytes. The cell must not be NULL. */
  public int cellLength(long row, int column) {
    int width = widths[column];
    return width == 0 ? Memory.getInt(MemRow.body(row) + cellOffsets[column] + 4) : width;
  }

  /** The size of a whole row with the key and the cells. */
  int rowBytes(int keyLength, CellSource cells) {
    long bytes = (long) MemRow.KEY_OFFSET + keyLength + fixedBytes;
    for (int column = 0; column < widths.length; column++) {
      if (widths[column] == 0 && !cells.isNull(column)) {
        bytes += cells.cellLength(column);
      }
    }
    return Math.toIntExact(bytes);
  }

  /** Writes the body of a row; its header is already written. */
  void writeBody(long row, CellSource cells) {
    long body = MemRow.body(row);
    Memory.fill(body, fixedBytes, (byte) 0);
    long textAt = body + fixedBytes;
    for (int column = 0; column < widths.length; column++) {
      if (cells.isNull(column)) {
        setNull(body, column);
      } else if (widths[column] == 0) {
        textAt = writeText(row, body + cellOffsets[column], textAt, cells, column);
      } else {
        assert cells.cellLength(column) == widths[column];
        copyCell(cells, column, body + cellOffsets[column], widths[column]);
      }
    }
  }

  private void setNull(long body, int column) {
    assert schema.column(column).isNullable() : "NULL in " + schema.column(column);
    long at = body + (column >>> 3);
    Memory.putByte(at, (byte) (Memory.getByte(at) | (1 << (column & 7))));
  }

  private static long writeText(long row, long cell, long textAt, CellSource cells, int column) {
    int length = cells.cellLength(column);
    Memory.putInt(cell, (int) (textAt - row));
    Memory.putInt(cell + 4, length);
    copyCell(cells, column, textAt, length);
    return textAt + length;
  }

  private static void copyCell(CellSource cells, int column, long to, int length) {
    Memory.copy(cells.cellArray(column), cells.cellOffset(column), to, length);
  }
}
