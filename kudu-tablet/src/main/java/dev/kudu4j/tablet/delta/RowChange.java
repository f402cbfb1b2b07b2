package dev.kudu4j.tablet.delta;

import dev.kudu4j.common.memory.Memory;

/**
 * One encoded change of a row. Mutation chains and delta files contain the same bytes.
 *
 * <pre>
 *   kind u8 | cell count u16                                                       little-endian
 *   per cell: column id i32 | length i32 (-1 is NULL) | cell form bytes
 * </pre>
 *
 * <p>{@link RowChangeBuilder} writes it, {@link RowChangeReader} reads it. The cell form of a value
 * is its fixed-width little-endian bytes, or the bytes of a string or binary value.
 *
 * <p>An UPDATE has the cells that it sets. A REINSERT has all non-key cells of the reinserted row.
 * A DELETE has no cells.
 */
public final class RowChange {
  public static final byte UPDATE = 1;
  public static final byte DELETE = 2;
  public static final byte REINSERT = 3;

  public static final int HEADER_BYTES = 3;
  public static final int CELL_HEADER_BYTES = 8;

  /** The set of all columns, see {@link #columnMask}. */
  public static final long ALL_COLUMNS = -1L;

  /** The length of a NULL cell. */
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
   * The columns that a change sets, as bits. A DELETE or REINSERT counts as setting all columns. So
   * does an UPDATE whose columns have all been dropped. A diff scan must not skip any of these
   * changes.
   */
  public static long columnMask(long change) {
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

  /**
   * The bit of a column in a set of columns; columns whose ids differ by a multiple of 64 share a
   * bit.
   */
  public static long columnBit(int columnId) {
    return 1L << columnId;
  }
}
