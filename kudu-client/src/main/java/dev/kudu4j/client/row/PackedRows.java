package dev.kudu4j.client.row;

import java.util.Arrays;

/**
 * Packed row operations for a tablet server: two growing arrays, in the wire format. Callers write
 * the cells of a row into {@link #rowsWithRoom} and its variable-length cells with {@link
 * #addIndirect}. Not thread-safe.
 */
public final class PackedRows {
  private static final int FIRST_BYTES = 1024;

  private byte[] rows = new byte[FIRST_BYTES];
  private int rowsLength;
  private byte[] indirect = new byte[FIRST_BYTES];
  private int indirectLength;

  /**
   * Returns {@link #rows} with space for a row of at most {@code bytes}; call before writing a row.
   */
  public byte[] rowsWithRoom(int bytes) {
    if (rows.length - rowsLength < bytes) {
      rows = Arrays.copyOf(rows, grown(rows.length, rowsLength, bytes));
    }
    return rows;
  }

  /** Ends the row that was written at {@link #rowsLength}. */
  public void endRowAt(int position) {
    rowsLength = position;
  }

  /** Adds text or binary bytes and returns their offset. */
  public int addIndirect(byte[] bytes) {
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

  public byte[] rows() {
    return rows;
  }

  public int rowsLength() {
    return rowsLength;
  }

  public byte[] indirect() {
    return indirect;
  }

  public int indirectLength() {
    return indirectLength;
  }

  public int bytes() {
    return rowsLength + indirectLength;
  }

  /** Removes all rows, keeps the arrays. */
  public void clear() {
    rowsLength = 0;
    indirectLength = 0;
  }
}
