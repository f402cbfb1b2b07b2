package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter for a range, a value or a list of values of text, binary or 128-bit numbers. Compares
 * cell by cell, and only in selected rows.
 */
final class BytesLeaf extends BoundedLeaf {
  private final boolean wide;
  private final byte @Nullable [] lower;
  private final byte @Nullable [] upper;
  private final byte @Nullable [][] listed; // null for a range

  private BytesLeaf(
      int column,
      int maxRows,
      DataType type,
      byte @Nullable [] lower,
      byte @Nullable [] upper,
      byte @Nullable [] last,
      byte @Nullable [][] listed) {
    super(column, maxRows, type, lower, upper, last, listed);
    this.wide = !type.isVariableLength();
    this.lower = lower;
    this.upper = upper;
    this.listed = listed;
  }

  static BytesLeaf range(
      int column, int maxRows, DataType type, byte @Nullable [] lower, byte @Nullable [] upper) {
    return new BytesLeaf(column, maxRows, type, lower, upper, null, null);
  }

  static BytesLeaf list(int column, int maxRows, DataType type, List<byte[]> values) {
    byte[] first = values.get(0);
    byte[] last = values.get(values.size() - 1);
    return new BytesLeaf(column, maxRows, type, first, null, last, values.toArray(new byte[0][]));
  }

  @Override
  boolean matchesWholeRange() {
    return listed == null;
  }

  @Override
  public void evaluate(ColumnVector cells, int rowCount, long[] wanted) {
    for (int word = 0; word < SelectionBitmap.wordCount(rowCount); word++) {
      for (long bits = wanted[word]; bits != 0; bits &= bits - 1) {
        int row = (word << 6) + Long.numberOfTrailingZeros(bits);
        if (!matches(cells.cellAddress(row), cells.cellLength(row))) {
          wanted[word] &= ~(1L << row);
        }
      }
    }
  }

  @Override
  public byte @Nullable [] onlyCell() {
    return listed != null && listed.length == 1 ? listed[0] : null;
  }

  private boolean matches(long address, int length) {
    if (listed == null) {
      return (lower == null || compare(address, length, lower) >= 0)
          && (upper == null || compare(address, length, upper) < 0);
    }
    if (listed.length == 1) {
      return length == listed[0].length && compare(address, length, listed[0]) == 0;
    }
    return isListed(listed, address, length);
  }

  private boolean isListed(byte[][] values, long address, int length) {
    int from = 0;
    int to = values.length - 1;
    while (from <= to) {
      int middle = (from + to) >>> 1;
      int order = compare(address, length, values[middle]);
      if (order == 0) {
        return true;
      }
      if (order > 0) {
        from = middle + 1;
      } else {
        to = middle - 1;
      }
    }
    return false;
  }

  private int compare(long address, int length, byte[] value) {
    return wide
        ? compare128(address, value)
        : Memory.compare(address, length, value, 0, value.length);
  }

  private static int compare128(long address, byte[] value) {
    int high = Long.compare(Memory.getLong(address + 8), LittleEndian.getLong(value, 8));
    return high != 0
        ? high
        : Long.compareUnsigned(Memory.getLong(address), LittleEndian.getLong(value, 0));
  }
}
