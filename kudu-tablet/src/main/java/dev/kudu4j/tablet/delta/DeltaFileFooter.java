package dev.kudu4j.tablet.delta;

import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.FooterReader;
import dev.kudu4j.tablet.file.FooterWriter;
import dev.kudu4j.tablet.file.SealedFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The footer of a delta file.
 *
 * <pre>
 *   kind u8 (0 REDO, 1 UNDO) | change count i64 | liveness change count i64
 *   smallest timestamp i64 | largest timestamp i64
 *   column count i32 | per column, by ascending id: id i32, changes that set it i64
 *   block count i32
 *   per block: offset i64, bytes i32, change count i32, first ordinal i64, last ordinal i64,
 *              smallest timestamp i64, largest timestamp i64, columns i64
 * </pre>
 *
 * @param minTimestamp the lowest timestamp of all changes; Long.MAX_VALUE without changes
 * @param maxTimestamp the highest timestamp of all changes; 0 without changes
 * @param columnChanges the number of changes that set a column, by ascending column id; columns
 *     that no change sets are absent
 */
public record DeltaFileFooter(
    DeltaFileWriter.Kind kind,
    long count,
    long livenessChangeCount,
    long minTimestamp,
    long maxTimestamp,
    SortedMap<Integer, Long> columnChanges,
    List<Block> blocks) {
  private static final int BLOCK_BYTES = 56;
  private static final int COLUMN_BYTES = 12;

  public DeltaFileFooter {
    columnChanges = Collections.unmodifiableSortedMap(new TreeMap<>(columnChanges));
    blocks = List.copyOf(blocks);
  }

  /**
   * One block.
   *
   * @param firstOrdinal the ordinal of the first change
   * @param lastOrdinal the ordinal of the last change; the next block may continue the same row
   * @param columns the columns that the changes set, see {@link RowChange#columnMask}
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
   * The index of the first block with a change of a row at or above the ordinal; the block count if
   * no block has such a change.
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

  /** The number of changes that set the column. */
  long changesOf(int columnId) {
    return columnChanges.getOrDefault(columnId, 0L);
  }

  byte[] toByteArray() {
    FooterWriter footer = new FooterWriter();
    footer
        .putByte(kind == DeltaFileWriter.Kind.REDO ? 0 : 1)
        .putLong(count)
        .putLong(livenessChangeCount)
        .putLong(minTimestamp)
        .putLong(maxTimestamp)
        .putInt(columnChanges.size());
    columnChanges.forEach((id, changes) -> footer.putInt(id).putLong(changes));
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

  /** Reads the footer and checks its consistency. */
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
    SortedMap<Integer, Long> columnChanges = readColumns(footer);
    List<Block> blocks = readBlocks(footer, count);
    footer.end();
    return new DeltaFileFooter(
        kind == 0 ? DeltaFileWriter.Kind.REDO : DeltaFileWriter.Kind.UNDO,
        count,
        livenessChanges,
        minTimestamp,
        maxTimestamp,
        columnChanges,
        blocks);
  }

  private static SortedMap<Integer, Long> readColumns(FooterReader footer) {
    SortedMap<Integer, Long> columns = new TreeMap<>();
    int count = footer.getCount(COLUMN_BYTES);
    for (int i = 0; i < count; i++) {
      int id = footer.getInt();
      long changes = footer.getLong();
      if (changes <= 0 || (!columns.isEmpty() && id <= columns.lastKey())) {
        throw footer.broken(
            "expected ascending column ids with at least one change each, found id %d with %d",
            id, changes);
      }
      columns.put(id, changes);
    }
    return columns;
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
        throw footer.broken("expected a nonempty block from ordinal %d on, found %s", last, block);
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
