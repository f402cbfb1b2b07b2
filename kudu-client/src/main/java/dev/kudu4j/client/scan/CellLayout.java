package dev.kudu4j.client.scan;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;

/**
 * Offsets and types of a projection's cells in a row-wise response. Cells follow each other without
 * padding; a text cell is a slice (offset and length, 8 bytes each) of the indirect data. If any
 * column is nullable, a bitmap follows: one bit per column, set for NULL.
 */
public final class CellLayout {
  private static final int SLICE_BYTES = 16;

  private final DataType[] types;
  private final DataType[] scalarTypes;
  private final boolean[] nullable;
  private final int[] offsets;
  private final int bitmapOffset;
  private final int rowBytes;

  public CellLayout(Schema projection) {
    int count = projection.columnCount();
    types = new DataType[count];
    scalarTypes = new DataType[count];
    nullable = new boolean[count];
    offsets = new int[count];
    int at = 0;
    for (int i = 0; i < count; i++) {
      ColumnSchema column = projection.column(i);
      types[i] = column.type();
      scalarTypes[i] = column.scalarType();
      nullable[i] = column.isNullable();
      offsets[i] = at;
      at += column.type().isVariableLength() ? SLICE_BYTES : column.type().width();
    }
    bitmapOffset = at;
    rowBytes = projection.hasNullableColumns() ? at + (count + 7) / 8 : at;
  }

  public int columnCount() {
    return types.length;
  }

  public DataType type(int column) {
    return types[column];
  }

  /** The type of the elements of an array column, else of the column. */
  public DataType scalarType(int column) {
    return scalarTypes[column];
  }

  public boolean isNullable(int column) {
    return nullable[column];
  }

  /** Bytes from the start of a row to the cell. */
  public int offset(int column) {
    return offsets[column];
  }

  /** Bytes from the start of a row to the null bitmap. */
  public int bitmapOffset() {
    return bitmapOffset;
  }

  public int rowBytes() {
    return rowBytes;
  }
}
