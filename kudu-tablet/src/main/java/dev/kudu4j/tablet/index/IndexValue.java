package dev.kudu4j.tablet.index;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.bloom.KeyHash;
import java.util.Arrays;
import java.util.List;

/**
 * The cells of one row in the columns of a unique index, encoded as a primary key is. Cells are
 * appended column by column; one that is NULL ends the value, which is then equal to no other.
 * Reusable.
 */
public final class IndexValue {
  private final List<DataType> types;
  private final KeyBuffer key = new KeyBuffer();
  private byte[] scratch = new byte[64];
  private int columns;

  /**
   * @param types of the indexed columns, all of which can be part of a primary key
   */
  public IndexValue(List<DataType> types) {
    this.types = List.copyOf(types);
  }

  /**
   * The indexed columns, to be read as a result of their own.
   *
   * @param table the tablet's schema, which has them
   */
  public static Schema columns(IndexDefinition index, Schema table) {
    return new Schema(
        index.columns().stream()
            .map(id -> table.column(table.indexOfId(id)).toBuilder().key(false).build())
            .toList());
  }

  /** Starts with the first column. */
  public void begin() {
    key.clear();
    columns = 0;
  }

  /** Appends the next column's cell. */
  public void append(byte[] array, int offset, int length) {
    boolean last = columns + 1 == types.size();
    KeyEncoder.appendCell(types.get(columns), array, offset, length, last, key);
    columns++;
  }

  /** Appends the next column's cell; false if it is NULL. */
  public boolean append(ColumnVector cells, int row) {
    if (cells.isNull(row)) {
      return false;
    }
    int length = cells.cellLength(row);
    if (length > scratch.length) {
      scratch = new byte[Math.max(2 * scratch.length, length)];
    }
    Memory.copy(cells.cellAddress(row), scratch, 0, length);
    append(scratch, 0, length);
    return true;
  }

  /** Sets all cells to those of a row, up to the first NULL. */
  public void set(List<ColumnVector> cells, int row) {
    begin();
    for (int i = 0; i < cells.size() && append(cells.get(i), row); ) {
      i++;
    }
  }

  /** Whether no cell was NULL. */
  public boolean isComplete() {
    return columns == types.size();
  }

  /** The hash of a complete value. */
  public long hash() {
    assert isComplete();
    return KeyHash.of(key.array(), 0, key.length());
  }

  /** Whether both values are complete and equal. */
  public boolean isEqual(IndexValue other) {
    return isComplete()
        && other.isComplete()
        && Arrays.equals(key.array(), 0, key.length(), other.key.array(), 0, other.key.length());
  }

  /**
   * Compares a value, which may be incomplete, with a complete one in the order of an index, in
   * which NULL is before all cells.
   */
  public int compareToWhole(IndexValue whole) {
    assert whole.isComplete();
    int length = whole.key.length();
    int shared = isComplete() ? length : Math.min(key.length(), length);
    int order = Arrays.compareUnsigned(key.array(), 0, key.length(), whole.key.array(), 0, shared);
    return order == 0 && !isComplete() ? -1 : order;
  }

  /** A copy of the encoded bytes. */
  public byte[] toByteArray() {
    return key.toByteArray();
  }
}
