package dev.kudu4j.client.aggregate;

import dev.kudu4j.common.schema.LittleEndian;
import java.util.Arrays;

/**
 * A group of a {@link GroupTable}. Mutable, owned by the table.
 *
 * <p>There may be millions of groups, so the cells of the grouping columns are one array: for each
 * column the length of the cell in 4 bytes, or -1 for NULL, then its bytes.
 */
public final class Group {
  private static final int NULL_LENGTH = -1;

  private final byte[] key;
  private final int hash;
  private final Object[] values;

  /**
   * @param key the result of {@link #keyOf}
   * @param values see {@link #value}
   */
  Group(byte[] key, int hash, Object[] values) {
    this.key = key;
    this.hash = hash;
    this.values = values;
  }

  /**
   * @param cells the cells of the grouping columns; null for NULL
   */
  static byte[] keyOf(byte[][] cells) {
    int bytes = Integer.BYTES * cells.length;
    for (byte[] cell : cells) {
      bytes += cell == null ? 0 : cell.length;
    }
    byte[] key = new byte[bytes];
    int at = 0;
    for (byte[] cell : cells) {
      LittleEndian.putInt(key, at, cell == null ? NULL_LENGTH : cell.length);
      at += Integer.BYTES;
      if (cell != null) {
        System.arraycopy(cell, 0, key, at, cell.length);
        at += cell.length;
      }
    }
    return key;
  }

  /** A hash of the key in which all bits of the key take part in all bits. */
  static int hash(byte[] key) {
    int hash = Arrays.hashCode(key) * 0x9e3779b9;
    return hash ^ hash >>> 15;
  }

  int hash() {
    return hash;
  }

  boolean has(byte[] otherKey, int otherHash) {
    return hash == otherHash && Arrays.equals(key, otherKey);
  }

  byte[] key() {
    return key;
  }

  /** The cell of a grouping column; null for NULL. */
  byte[] cell(int column) {
    int at = 0;
    for (int i = 0; i < column; i++) {
      at += Integer.BYTES + Math.max(0, LittleEndian.getInt(key, at));
    }
    int length = LittleEndian.getInt(key, at);
    int from = at + Integer.BYTES;
    return length == NULL_LENGTH ? null : Arrays.copyOfRange(key, from, from + length);
  }

  /**
   * The value of an aggregate: a Long for COUNT, a cell for MIN and MAX of a column, a
   * DistinctSketch, else a BigDecimal or a Double; null if there is none.
   */
  Object value(int aggregate) {
    return values[aggregate];
  }

  void set(int aggregate, Object value) {
    values[aggregate] = value;
  }
}
