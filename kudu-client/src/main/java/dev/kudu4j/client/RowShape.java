package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.common.row.RowLayout;

/**
 * Where the parts of a {@link PartialRow} lie. The rows of {@link Schema#newPartialRow} share one.
 *
 * <p>A row is kept as its <em>image</em>: the packed operation that it would be if all columns were
 * set and none NULL.
 *
 * <pre>
 *   type | set bitmap | null bitmap, if any column is nullable | cells in column order
 * </pre>
 *
 * So the usual row, where that is so, goes into a batch as one copy.
 */
final class RowShape {
  static final int SLICE_BYTES = 16;
  private static final int NOT_VARIABLE = -1;

  final RowLayout layout;
  final Type[] types;
  final int[] widths;
  final int[] offsets;
  final boolean[] nullable;

  /** For each column, which of the row's texts it is; -1 for fixed-width columns. */
  final int[] textIndex;

  /** The columns of variable length, ascending. */
  final int[] textColumns;

  final int bitmapBytes;

  /** Where the null bitmap begins, or 0 when there is none. */
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
