package dev.kudu4j.common.key;

import dev.kudu4j.common.row.RowCells;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;

/**
 * Encodes chosen columns of a row as one key: the primary key of a write, the input of a hash
 * dimension, the range part of a partition key. Allocates nothing per row.
 *
 * <p>Immutable; any number of threads, each with its own row and buffer.
 */
public final class RowKeyEncoder {
  private final DataType[] types;
  private final int[] columns;

  /**
   * @param types the types of the encoded columns, in their order
   * @param columns for each of them, its index in the row's layout
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
   * An encoder of the whole primary key.
   *
   * @param columnOfKey for each key column of {@code table}, its index in the row's layout
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
   * @return false when one of the columns is unset or NULL; the buffer then ends somewhere in the
   *     middle
   */
  public boolean append(RowCells row, KeyBuffer out) {
    return append(row, columns.length, out);
  }

  /**
   * Appends all columns but the last, which is to follow: an auto-incrementing number, by {@link
   * KeyEncoder#appendLong}, that the row does not hold.
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
