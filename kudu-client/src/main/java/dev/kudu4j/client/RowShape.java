package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.common.row.RowLayout;

/**
 * The memory layout of a {@link PartialRow}. All rows that {@link Schema#newPartialRow} of one
 * schema creates share one shape.
 *
 * <p>A row is stored as its <em>image</em>: the packed operation of a row with all columns set and
 * none NULL.
 *
 * <pre>
 *   type | set bitmap | null bitmap, if any column is nullable | cells in column order
 * </pre>
 *
 * Most rows have all columns set and none NULL; such a row is appended to a batch by copying its
 * image.
 */
final class RowShape {
  static final int SLICE_BYTES = 16;
  private static final int NOT_VARIABLE = -1;

  final RowLayout layout;
  final Type[] types;
  final int[] widths;
  final int[] offsets;
  final boolean[] nullable;

  /**
   * For each column, its index among the row's variable-length cells; -1 for fixed-width columns.
   */
  final int[] textIndex;

  /** The columns of variable length, ascending. */
  final int[] textColumns;

  final int bitmapBytes;

  /** Offset of the null bitmap; 0 if there is none. */
  final int nullBitmapAt;

  final int headerBytes;
  final int imageBytes;

  /** The set bitmap of a row that has all columns set. */
  final byte[] allSet;

  final int keyColumnCount;

  RowShape(Schema schema) {
    int columns = schema.getColumnCount();
    layout = RowLayout.of(schema.toCommon());
    types = new Type[columns];
    widths = new int[columns];
    offsets = new int[columns];
    nullable = new boolean[columns];
    textIndex = new int[columns];
    textColumns = new int[schema.getVarLengthColumnCount()];
    keyColumnCount = schema.getPrimaryKeyColumnCount();
    bitmapBytes = (columns + 7) / 8;
    nullBitmapAt = layout.hasNullableColumns() ? 1 + bitmapBytes : 0;
    headerBytes = 1 + (nullBitmapAt == 0 ? 1 : 2) * bitmapBytes;
    allSet = new byte[bitmapBytes];
    int at = headerBytes;
    int texts = 0;
    for (int i = 0; i < columns; i++) {
      ColumnSchema column = schema.getColumnByIndex(i);
      types[i] = column.getType();
      nullable[i] = column.isNullable();
      widths[i] = column.getTypeSize();
      offsets[i] = at;
      at += widths[i];
      allSet[i >>> 3] |= (byte) (1 << (i & 7));
      textIndex[i] = NOT_VARIABLE;
      if (layout.type(i).isVariableLength()) {
        textIndex[i] = texts;
        textColumns[texts++] = i;
      }
    }
    imageBytes = at;
  }
}
