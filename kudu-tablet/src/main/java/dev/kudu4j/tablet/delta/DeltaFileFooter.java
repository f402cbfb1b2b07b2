package dev.kudu4j.tablet.delta;

import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.FooterReader;
import dev.kudu4j.tablet.file.FooterWriter;
import dev.kudu4j.tablet.file.SealedFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a delta file says of itself.
 *
 * <pre>
 *   kind u8 (0 REDO, 1 UNDO) | change count i64 | liveness change count i64 | smallest timestamp i64 | largest i64
 *   column count i32 | column ids i32, rising
 *   block count i32
 *   per block: offset i64, bytes i32, change count i32, first ordinal i64, last ordinal i64,
 *              smallest timestamp i64, largest timestamp i64, columns i64
 * </pre>
 *
 * @param minTimestamp of all changes; Long.MAX_VALUE when there is none
 * @param maxTimestamp 0 when there is none
 * @param columnIds columns that updates and reinserts set, ascending
 */
public record DeltaFileFooter(
    DeltaFileWriter.Kind kind,
    long count,
    long livenessChangeCount,
    long minTimestamp,
    long maxTimestamp,
    List<Integer> columnIds,
    List<Block> blocks) {
  private static final int BLOCK_BYTES = 56;

  public DeltaFileFooter {
    columnIds = List.copyOf(columnIds);
    blocks = List.copyOf(blocks);
  }

  /**
   * One block.
   *
   * @param firstOrdinal of its first change
   * @param lastOrdinal of its last change; the next block may go on with the same row
   * @param columns set by its changes, see {@link RowChange#columns}
   */
  public record Block(
      BlockLocation location,
      int count,
      long firstOrdinal,
      long lastOrdinal,
      long minTimestamp,
      long maxTimestamp,
      long columns) {}

  /**
   * The first block that has a change of a row at or above the ordinal; the count when none has.
   */
  int blockOf(long ordinal) {
    int low = 0;
    int high = blocks.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (blocks.get(middle).lastOrdinal() >= ordinal) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  boolean touches(int columnId) {
    return Collections.binarySearch(columnIds, columnId) >= 0;
  }

  byte[] toByteArray() {
    FooterWriter footer = new FooterWriter();
    footer
        .putByte(kind == DeltaFileWriter.Kind.REDO ? 0 : 1)
        .putLong(count)
        .putLong(livenessChangeCount)
        .putLong(minTimestamp)
        .putLong(maxTimestamp)
        .putInt(columnIds.size());
    for (int id : columnIds) {
      footer.putInt(id);
    }
    footer.putInt(blocks.size());
    for (Block block : blocks) {
      footer
          .putLong(block.location().offset())
          .putInt(block.location().bytes())
          .putInt(block.count())
          .putLong(block.firstOrdinal())
          .putLong(block.lastOrdinal())
          .putLong(block.minTimestamp())
          .putLong(block.maxTimestamp())
          .putLong(block.columns());
    }
    return footer.toByteArray();
  }

  /** Reads the footer and checks that its parts agree. */
  public static DeltaFileFooter of(SealedFile file) {
    FooterReader footer = file.footer();
    int kind = footer.getByte();
    if (kind > 1) {
      throw footer.broken("expected kind 0 or 1, found %d", kind);
    }
    long count = footer.getLong();
    long livenessChanges = footer.getLong();
    long minTimestamp = footer.getLong();
    long maxTimestamp = footer.getLong();
    Integer[] columnIds = new Integer[footer.getCount(4)];
    for (int i = 0; i < columnIds.length; i++) {
      columnIds[i] = footer.getInt();
    }
    List<Block> blocks = readBlocks(footer, count);
    footer.end();
    return new DeltaFileFooter(
        kind == 0 ? DeltaFileWriter.Kind.REDO : DeltaFileWriter.Kind.UNDO,
        count,
        livenessChanges,
        minTimestamp,
        maxTimestamp,
        List.of(columnIds),
        blocks);
  }

  private static List<Block> readBlocks(FooterReader footer, long count) {
    int blockCount = footer.getCount(BLOCK_BYTES);
    List<Block> blocks = new ArrayList<>(blockCount);
    long changes = 0;
    long last = -1;
    for (int i = 0; i < blockCount; i++) {
      BlockLocation location = new BlockLocation(footer.getLong(), footer.getInt());
      Block block =
          new Block(
              location,
              footer.getInt(),
              footer.getLong(),
              footer.getLong(),
              footer.getLong(),
              footer.getLong(),
              footer.getLong());
      if (block.firstOrdinal < last || block.lastOrdinal < block.firstOrdinal || block.count <= 0) {
        throw footer.broken("expected a block behind ordinal %d, found %s", last, block);
      }
      last = block.lastOrdinal;
      changes += block.count;
      blocks.add(block);
    }
    if (changes != count) {
      throw footer.broken("expected %d changes in the blocks, found %d", count, changes);
    }
    return blocks;
  }
}
