package dev.kudu4j.tablet.delta;

/**
 * The body of a delta block.
 *
 * <pre>
 *   change count i32
 *   per change: ordinal i64 | timestamp i64 | sequence i32 | change length i32
 *               | change ({@link RowChange})
 * </pre>
 *
 * <p>Entries are in ascending order of ordinals. The changes of one row are newest first in a REDO
 * file and oldest first in an UNDO file, within a block and across blocks. An entry has the layout
 * of a {@link Mutation}, with the ordinal in place of the address of the next older mutation.
 */
final class DeltaBlockFormat {
  static final int HEADER_BYTES = 4;
  static final int ENTRY_HEADER_BYTES = 24;

  /** The target size of a body. */
  static final int BLOCK_BYTES = 32 << 10;

  /** A block is stored uncompressed if compression saves less than this percentage. */
  static final int MIN_SAVING_PERCENT = 15;

  private DeltaBlockFormat() {}
}
