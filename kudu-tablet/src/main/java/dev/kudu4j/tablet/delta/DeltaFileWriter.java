package dev.kudu4j.tablet.delta;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.BlockKind;
import dev.kudu4j.tablet.file.BlockLocation;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.PageBuffer;
import dev.kudu4j.tablet.file.SealedFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes a delta file. Changes are in ascending order of ordinals; the changes of one row are in
 * the order of the {@link Kind}. {@link #finish} makes the file durable. {@link #close} without
 * {@link #finish} leaves an incomplete file that no superblock references. Not thread-safe.
 */
public final class DeltaFileWriter implements AutoCloseable {
  /**
   * The direction of the changes: forward or backward from the base data. It determines the order
   * of one row's changes, so that a reader at a snapshot can stop at the first change that applies.
   */
  public enum Kind {
    /** Changes that lead from the base data to later states of a row; newest first. */
    REDO,
    /** Changes that lead from the base data back to earlier states of a row; oldest first. */
    UNDO;

    /**
     * Whether a change with {@code timestamp} and {@code sequence} must be stored after the same
     * row's change with {@code timestampBefore} and {@code sequenceBefore}.
     */
    public boolean mustFollow(
        long timestamp, int sequence, long timestampBefore, int sequenceBefore) {
      int order = Long.compare(timestamp, timestampBefore);
      order = order == 0 ? Integer.compare(sequence, sequenceBefore) : order;
      return this == REDO ? order < 0 : order > 0;
    }
  }

  private final Kind kind;
  private final BufferAllocator allocator;
  private final SealedFileWriter file;
  private final PageBuffer body;
  private final int blockBytes;
  private final List<DeltaFileFooter.Block> blocks = new ArrayList<>();

  private int bodyBytes = DeltaBlockFormat.HEADER_BYTES;
  private int blockCount; // the number of changes in the body
  private long blockFirstOrdinal;
  private long blockMinTimestamp = Long.MAX_VALUE;
  private long blockMaxTimestamp;
  private long blockColumns;
  private long lastOrdinal = -1;
  private long lastTimestamp;
  private int lastSequence;
  private long count;
  private long livenessChanges;
  private long minTimestamp = Long.MAX_VALUE;
  private long maxTimestamp;
  private int[] columnIds = new int[0]; // ascending
  private long[] columnChanges = new long[0];
  private boolean closed;

  public DeltaFileWriter(TabletEnvironment environment, Path file, Kind kind) throws IOException {
    this.kind = kind;
    this.blockBytes =
        Math.min(DeltaBlockFormat.BLOCK_BYTES, Math.max(64, environment.options().pageBytes()));
    this.allocator = environment.allocator().newChildAllocator("writers", 0, Long.MAX_VALUE);
    try {
      this.file = new SealedFileWriter(environment, allocator, file, FileKind.DELTA);
    } catch (Throwable e) {
      allocator.close();
      throw e;
    }
    this.body = new PageBuffer(allocator);
  }

  /**
   * Appends a change ({@link RowChange} bytes in raw memory, borrowed).
   *
   * @throws IllegalArgumentException if the change is out of order or is not a RowChange
   */
  public void append(
      long ordinal, long timestamp, int sequence, long changeAddress, int changeLength)
      throws IOException {
    checkOrder(ordinal, timestamp, sequence);
    noteChange(changeAddress, changeLength);
    int entryBytes = DeltaBlockFormat.ENTRY_HEADER_BYTES + changeLength;
    if (blockCount > 0 && bodyBytes + entryBytes > blockBytes) {
      writeBlock();
    }
    if (blockCount == 0) {
      blockFirstOrdinal = ordinal;
    }
    long to = body.reserve((long) bodyBytes + entryBytes, bodyBytes) + bodyBytes;
    Memory.putLong(to, ordinal);
    Memory.putLong(to + 8, timestamp);
    Memory.putInt(to + 16, sequence);
    Memory.putInt(to + 20, changeLength);
    Memory.copy(changeAddress, to + DeltaBlockFormat.ENTRY_HEADER_BYTES, changeLength);
    bodyBytes += entryBytes;
    blockCount++;
    count++;
    lastOrdinal = ordinal;
    lastTimestamp = timestamp;
    lastSequence = sequence;
    blockMinTimestamp = Math.min(blockMinTimestamp, timestamp);
    blockMaxTimestamp = Math.max(blockMaxTimestamp, timestamp);
    blockColumns |= RowChange.columnMask(changeAddress);
  }

  /** Appends the changes of a row from the given {@link Mutation} to the oldest. For REDO files. */
  public void appendChain(long ordinal, long newest) throws IOException {
    for (long mutation = newest; mutation != 0; mutation = Mutation.next(mutation)) {
      appendEntry(ordinal, mutation);
    }
  }

  /** Appends a change that {@link Mutation} can read. */
  public void appendEntry(long ordinal, long entry) throws IOException {
    append(
        ordinal,
        Mutation.timestamp(entry),
        Mutation.sequence(entry),
        Mutation.changeAddress(entry),
        Mutation.changeLength(entry));
  }

  private void checkOrder(long ordinal, long timestamp, int sequence) {
    boolean behind =
        ordinal != lastOrdinal
            ? ordinal > lastOrdinal
            : kind.mustFollow(timestamp, sequence, lastTimestamp, lastSequence);
    if (!behind) {
      throw new IllegalArgumentException(
          "%s changes are out of order: ordinal %d, timestamp %d, sequence %d follows %d, %d, %d"
              .formatted(
                  kind, ordinal, timestamp, sequence, lastOrdinal, lastTimestamp, lastSequence));
    }
  }

  private void noteChange(long change, int length) {
    String error = ChangeBytes.check(change, length);
    if (error != null) {
      throw new IllegalArgumentException("Not a row change: " + error);
    }
    if (Memory.getByte(change) != RowChange.UPDATE) {
      livenessChanges++;
    }
    int cells = ChangeBytes.cellCount(change);
    long cell = change + RowChange.HEADER_BYTES;
    for (int i = 0; i < cells; i++) {
      noteColumn(Memory.getInt(cell));
      cell = ChangeBytes.nextCell(cell);
    }
  }

  private void noteColumn(int id) {
    int found = Arrays.binarySearch(columnIds, id);
    if (found >= 0) {
      columnChanges[found]++;
    } else {
      addColumn(-found - 1, id);
    }
  }

  private void addColumn(int at, int id) {
    int count = columnIds.length;
    int[] ids = Arrays.copyOf(columnIds, count + 1);
    long[] changes = Arrays.copyOf(columnChanges, count + 1);
    System.arraycopy(columnIds, at, ids, at + 1, count - at);
    System.arraycopy(columnChanges, at, changes, at + 1, count - at);
    ids[at] = id;
    changes[at] = 1;
    columnIds = ids;
    columnChanges = changes;
  }

  private void writeBlock() throws IOException {
    Memory.putInt(body.address(), blockCount);
    BlockLocation location =
        file.append(
            BlockKind.DELTA_BLOCK, body.address(), bodyBytes, DeltaBlockFormat.MIN_SAVING_PERCENT);
    blocks.add(
        new DeltaFileFooter.Block(
            location,
            blockCount,
            blockFirstOrdinal,
            lastOrdinal,
            blockMinTimestamp,
            blockMaxTimestamp,
            blockColumns));
    minTimestamp = Math.min(minTimestamp, blockMinTimestamp);
    maxTimestamp = Math.max(maxTimestamp, blockMaxTimestamp);
    bodyBytes = DeltaBlockFormat.HEADER_BYTES;
    blockCount = 0;
    blockMinTimestamp = Long.MAX_VALUE;
    blockMaxTimestamp = 0;
    blockColumns = 0;
  }

  public long count() {
    return count;
  }

  /** An estimate of the file's size. */
  public long estimatedBytes() {
    return file.position() + bodyBytes;
  }

  /**
   * Writes the last block and the footer, then syncs and closes the file. The caller syncs the
   * directory.
   */
  public void finish() throws IOException {
    if (blockCount > 0) {
      writeBlock();
    }
    DeltaFileFooter footer =
        new DeltaFileFooter(
            kind, count, livenessChanges, minTimestamp, maxTimestamp, changesByColumn(), blocks);
    file.finish(footer.toByteArray());
    close();
  }

  private SortedMap<Integer, Long> changesByColumn() {
    SortedMap<Integer, Long> changes = new TreeMap<>();
    for (int i = 0; i < columnIds.length; i++) {
      changes.put(columnIds[i], columnChanges[i]);
    }
    return changes;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    body.close();
    try {
      file.close();
    } finally {
      allocator.close();
    }
  }
}
