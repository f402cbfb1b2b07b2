package dev.kudu4j.tablet.batch;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.DataType;
import java.util.Arrays;

/**
 * Cells that replace stored cells in a block of rows. For each column, it contains the rows that
 * have a replacement, and the address of each replacement. The replacement cells are not copied, so
 * they must remain valid until the next {@link #clear}. Not thread-safe.
 */
public final class CellOverrides {
  private static final int NULL_LENGTH = -1;

  private final int maxRows;
  private final boolean[] touched;
  private final boolean[] anyNull;

  /**
   * Bitmaps of the rows with a replacement, by column; null until the column has its first
   * replacement.
   */
  private final long[][] overridden;

  private final long[][] addresses;
  private final int[][] lengths;

  public CellOverrides(int columns, int maxRows) {
    this.maxRows = maxRows;
    this.touched = new boolean[columns];
    this.anyNull = new boolean[columns];
    this.overridden = new long[columns][];
    this.addresses = new long[columns][];
    this.lengths = new int[columns][];
  }

  /** Clears everything for a new block. */
  public void clear() {
    for (int column = 0; column < touched.length; column++) {
      if (touched[column]) {
        touched[column] = false;
        anyNull[column] = false;
        Arrays.fill(overridden[column], 0L);
      }
    }
  }

  /**
   * Sets the replacement of the row's cell.
   *
   * @param length -1 for NULL
   */
  public void put(int column, int row, long address, int length) {
    if (overridden[column] == null) {
      overridden[column] = new long[(maxRows + 63) >>> 6];
      addresses[column] = new long[maxRows];
      lengths[column] = new int[maxRows];
    }
    touched[column] = true;
    anyNull[column] |= length == NULL_LENGTH;
    overridden[column][row >>> 6] |= 1L << row;
    addresses[column][row] = address;
    lengths[column][row] = length;
  }

  /** Whether any row has a replacement in the column. */
  public boolean touches(int column) {
    return touched[column];
  }

  /** The rows with a replacement in the column, as bits; requires {@link #touches}. */
  public long[] overridden(int column) {
    return overridden[column];
  }

  public boolean isOverridden(int column, int row) {
    return touched[column] && (overridden[column][row >>> 6] & 1L << row) != 0;
  }

  public boolean isNull(int column, int row) {
    return lengths[column][row] == NULL_LENGTH;
  }

  public long address(int column, int row) {
    return addresses[column][row];
  }

  /** The length of the replacement; -1 for NULL. */
  public int length(int column, int row) {
    return lengths[column][row];
  }

  /**
   * Writes the replacements of the rows {@code [from, to)} to a vector in which row {@code from} is
   * cell {@code firstCell}.
   */
  public void applyTo(int column, int from, int to, ColumnVector cells, int firstCell) {
    long[] bits = overridden[column];
    for (int word = from >>> 6; word < (to + 63) >>> 6; word++) {
      for (long left = bits[word]; left != 0; left &= left - 1) {
        int row = (word << 6) + Long.numberOfTrailingZeros(left);
        if (row < from || row >= to) {
          continue;
        }
        int cell = firstCell + row - from;
        if (isNull(column, row)) {
          cells.setNull(cell);
        } else {
          cells.set(cell, addresses[column][row], lengths[column][row]);
        }
      }
    }
    cells.applyPatches();
  }

  /**
   * Writes the replacements of the rows {@code [from, from + numbers.count())} to the numbers of
   * these rows.
   */
  public void applyTo(int column, DataType type, int from, NumberVector numbers) {
    boolean longs = NumberVector.isLong(type) && !anyNull[column];
    long[] bits = overridden[column];
    int to = from + numbers.count();
    for (int word = from >>> 6; word < (to + 63) >>> 6; word++) {
      for (long left = bits[word]; left != 0; left &= left - 1) {
        int row = (word << 6) + Long.numberOfTrailingZeros(left);
        if (row < from || row >= to) {
          continue;
        }
        if (longs) {
          numbers.set(row - from, Memory.getLong(addresses[column][row]));
        } else {
          set(column, type, row, numbers, row - from);
        }
      }
    }
  }

  /**
   * Number i belongs to row {@code from + rows[i]}. Replaces the number if the row has a
   * replacement.
   */
  public void applyTo(int column, DataType type, int from, int[] rows, NumberVector numbers) {
    for (int i = 0; i < numbers.count(); i++) {
      if (isOverridden(column, from + rows[i])) {
        set(column, type, from + rows[i], numbers, i);
      }
    }
  }

  private void set(int column, DataType type, int row, NumberVector numbers, int index) {
    if (isNull(column, row)) {
      numbers.setNull(index);
    } else {
      numbers.set(index, type, addresses[column][row]);
    }
  }
}
