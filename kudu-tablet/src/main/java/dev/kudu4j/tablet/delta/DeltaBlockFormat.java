package dev.kudu4j.tablet.delta;

/**
 * The body of a delta block.
 *
 * <pre>
 *   change count i32 | per change: ordinal i64 | timestamp i64 | sequence i32 | change length i32 | change ({@link RowChange})
 * </pre>
 *
 * <p>Ordinals rise; the changes of one row stand newest first in a REDO file, oldest first in an
 * UNDO file, within a block and from block to block. An entry has the layout of a {@link Mutation},
 * with the ordinal in place of the next older one.
 */
final class DeltaBlockFormat {
  static final int HEADER_BYTES = 4;
  static final int ENTRY_HEADER_BYTES = 24;

  /** Wanted size of a body. */
  static final int BLOCK_BYTES = 32 << 10;

  /** Blocks are compressed when that saves as much. */
  static final int LEAST_SAVING_PERCENT = 15;

  private DeltaBlockFormat() {}
}
