package dev.kudu4j.common.key;

import dev.kudu4j.common.row.RowCells;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;

/**
 * Encodes selected columns of a row as one key: the primary key of a write, the input of a hash
 * dimension, or the range part of a partition key. Allocates nothing per row.
 *
 * <p>Immutable. Threads can share an encoder if each uses its own row and buffer.
 */
public final class RowKeyEncoder {
  private final DataType[] types;
  private final int[] columns;

  /**
   * @param types the types of the encoded columns, in their order
   * @param columns the index of each encoded column in the row's layout
   */
  public RowKeyEncoder(DataType[] types, int[] columns) {
    if (types.length != columns.length) {
      throw new IllegalArgumentException(
          types.length + " types for " + columns.length + " columns");
    }
    this.types = types.clone();
    this.columns = columns.clone();
  }

  /**
   * Creates an encoder of the whole primary key.
   *
   * @param columnOfKey the index of each key column of {@code table} in the row's layout
   */
  public static RowKeyEncoder ofPrimaryKey(Schema table, int[] columnOfKey) {
    DataType[] types = new DataType[table.keyColumnCount()];
    for (int i = 0; i < types.length; i++) {
      types[i] = table.column(i).type();
    }
    return new RowKeyEncoder(types, columnOfKey);
  }

  public int columnCount() {
    return columns.length;
  }

  /**
   * Appends the encoded columns.
   *
   * @return false if one of the columns is unset or NULL; the buffer then contains a partial key
   */
  public boolean append(RowCells row, KeyBuffer out) {
    return append(row, columns.length, out);
  }

  /**
   * Appends all columns except the last one, an auto-incrementing number that the row does not
   * contain. The caller then appends this number with {@link KeyEncoder#appendLong}.
   */
  public boolean appendAllButLast(RowCells row, KeyBuffer out) {
    return append(row, columns.length - 1, out);
  }

  private boolean append(RowCells row, int count, KeyBuffer out) {
    int last = columns.length - 1;
    for (int i = 0; i < count; i++) {
      int column = columns[i];
      if (!row.hasCell(column)) {
        return false;
      }
      KeyEncoder.appendCell(
          types[i],
          row.cellArray(column),
          row.cellOffset(column),
          row.cellLength(column),
          i == last,
          out);
    }
    return true;
  }
}
