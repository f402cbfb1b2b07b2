package dev.kudu4j.common.key;

import dev.kudu4j.common.schema.DataType;

/**
 * The order-preserving encoding of key columns: big-endian with the top bit flipped for signed
 * integers, text escaped and terminated unless it is the last column of the encoding.
 *
 * <p>"Last" means last of <em>this</em> encoding (whole key, hash dimension, range), not of the
 * table. Static methods over primitives.
 */
public final class KeyEncoder {
  private KeyEncoder() {}

  /**
   * Appends the encoding of one cell.
   *
   * @param cell array that holds the cell form at {@code [offset, offset + length)}
   * @param last whether the column is the last of this encoding
   */
  public static void appendCell(
      DataType type, byte[] cell, int offset, int length, boolean last, KeyBuffer out) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Appends the encoding of the type's minimum, which stands for a column left unset in a bound.
   */
  public static void appendMinimum(DataType type, boolean last, KeyBuffer out) {
    throw new UnsupportedOperationException("stub");
  }
}
