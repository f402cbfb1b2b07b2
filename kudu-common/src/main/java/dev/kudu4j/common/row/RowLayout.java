package dev.kudu4j.common.row;

import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import java.util.List;

/**
 * The layout of packed rows: the types and nullability of the message's columns, in order. Reading
 * packed rows needs neither names nor ids.
 */
public final class RowLayout {
  private final DataType[] types;
  private final boolean[] nullable;
  private final boolean anyNullable;
  private final int[] widths;
  private final long[] columnMask;
  private final long[] notNullable;
  private final int bitmapBytes;

  public RowLayout(List<DataType> types, boolean[] nullable) {
    this.types = types.toArray(new DataType[0]);
    this.nullable = nullable.clone();
    boolean any = false;
    for (boolean n : nullable) {
      any |= n;
    }
    this.anyNullable = any;
    this.bitmapBytes = (this.types.length + 7) / 8;
    this.widths = new int[this.types.length];
    this.columnMask = new long[(this.types.length + 63) / 64];
    this.notNullable = new long[columnMask.length];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = this.types[i].width();
      columnMask[i >>> 6] |= 1L << i;
      if (!nullable[i]) {
        notNullable[i >>> 6] |= 1L << i;
      }
    }
  }

  public static RowLayout of(Schema schema) {
    boolean[] nullable = new boolean[schema.columnCount()];
    DataType[] types = new DataType[schema.columnCount()];
    for (int i = 0; i < nullable.length; i++) {
      types[i] = schema.column(i).type();
      nullable[i] = schema.column(i).isNullable();
    }
    return new RowLayout(List.of(types), nullable);
  }

  public int columnCount() {
    return types.length;
  }

  public DataType type(int column) {
    return types[column];
  }

  public boolean isNullable(int column) {
    return nullable[column];
  }

  /** Whether operations carry a null bitmap. */
  public boolean hasNullableColumns() {
    return anyNullable;
  }

  /**
   * The size of each column's cells in cell form; 0 for variable-length columns. Callers must not
   * change the array.
   */
  int[] widths() {
    return widths;
  }

  /** A bitmap of all columns, 64 to a word: each column's bit is set. */
  long[] columnMask() {
    return columnMask;
  }

  /** A bitmap like {@link #columnMask} of the columns that are not nullable. */
  long[] notNullable() {
    return notNullable;
  }

  /** Size of one bitmap of a packed row. */
  int bitmapBytes() {
    return bitmapBytes;
  }
}
