package dev.kudu4j.client;

import java.util.Arrays;

/**
 * Packed row operations on their way to a tablet server: two growing arrays, in the form of the
 * wire. Rows put themselves in, see {@link PartialRow#appendTo(PackedRows,
 * dev.kudu4j.common.row.OperationType)}. Not thread-safe.
 */
final class PackedRows {
  private static final int FIRST_BYTES = 1024;

  private byte[] rows = new byte[FIRST_BYTES];
  private int rowsLength;
  private byte[] indirect = new byte[FIRST_BYTES];
  private int indirectLength;

  /** Makes room for a row of at most {@code bytes}; call before writing to {@link #rows}. */
  byte[] rowsWithRoom(int bytes) {
    if (rows.length - rowsLength < bytes) {
      rows = Arrays.copyOf(rows, grown(rows.length, rowsLength, bytes));
    }
    return rows;
  }

  /** The row written at {@link #rowsLength} ends here. */
  void endRowAt(int position) {
    rowsLength = position;
  }

  /** Adds text or binary bytes and returns their offset. */
  int addIndirect(byte[] bytes) {
    int at = indirectLength;
    if (indirect.length - at < bytes.length) {
      indirect = Arrays.copyOf(indirect, grown(indirect.length, at, bytes.length));
    }
    System.arraycopy(bytes, 0, indirect, at, bytes.length);
    indirectLength = at + bytes.length;
    return at;
  }

  private static int grown(int capacity, int used, int more) {
    return Math.max(
        Math.addExact(used, more), (int) Math.min(2L * capacity, Integer.MAX_VALUE - 8));
  }

  byte[] rows() {
    return rows;
  }

  int rowsLength() {
    return rowsLength;
  }

  byte[] indirect() {
    return indirect;
  }

  int indirectLength() {
    return indirectLength;
  }

  int bytes() {
    return rowsLength + indirectLength;
  }

  /** Forgets all rows, keeps the arrays. */
  void clear() {
    rowsLength = 0;
    indirectLength = 0;
  }
}
