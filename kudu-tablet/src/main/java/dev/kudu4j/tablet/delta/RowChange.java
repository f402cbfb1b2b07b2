package dev.kudu4j.tablet.delta;

import dev.kudu4j.common.memory.Memory;

/**
 * One change of a row, encoded. The same bytes stand in mutation chains and in delta files.
 *
 * <pre>
 *   kind u8 | cell count u16 | per cell: column id i32, length i32 (-1 is NULL), cell form bytes      little-endian
 * </pre>
 *
 * <p>{@link RowChangeBuilder} writes it, {@link RowChangeReader} reads it.
 *
 * <p>An UPDATE has the cells it sets; a REINSERT has all non-key cells of the row's new life; a
 * DELETE has none.
 */
public final class RowChange {
  public static final byte UPDATE = 1;
  public static final byte DELETE = 2;
  public static final byte REINSERT = 3;

  public static final int HEADER_BYTES = 3;
  public static final int CELL_HEADER_BYTES = 8;

  /** The set of {@link #columns} that has every column. */
  public static final long ALL_COLUMNS = -1L;

  /** The length of a cell that is NULL. */
  public static final int NULL_LENGTH = -1;

  private RowChange() {}

  /** UPDATE, DELETE or REINSERT. */
  public static byte kind(long change) {
    return Memory.getByte(change);
  }

  public static int cellCount(long change) {
    return Memory.getShort(change + 1) & 0xffff;
  }

  /**
   * The columns that a change sets, as bits; all of them for a change of liveness, and for an
   * UPDATE whose columns were all dropped: who asks what changed must not pass it by.
   */
  public static long columns(long change) {
    if (kind(change) != UPDATE || cellCount(change) == 0) {
      return ALL_COLUMNS;
    }
    long columns = 0;
    long cell = change + HEADER_BYTES;
    for (int left = cellCount(change); left > 0; left--) {
      columns |= columnBit(Memory.getInt(cell));
      cell += CELL_HEADER_BYTES + Math.max(0, Memory.getInt(cell + 4));
    }
    return columns;
  }

  /** The bit of a column in a set of columns; columns whose ids are 64 apart share it. */
  public static long columnBit(int columnId) {
    return 1L << columnId;
  }
}
