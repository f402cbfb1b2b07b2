package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import dev.kudu4j.tablet.scan.index.IndexedRows;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a DiskRowSet from the entries of an index that has all columns of the scan, in the
 * order of the index. Rows outside the bounds of the scan, and changed rows, are left out.
 */
final class IndexEntrySource extends PagedSource {
  private static final byte[] NO_KEY = new byte[0];

  private final IndexedRows.Entries entries;
  private final long[] left; // bits of the ordinals to leave out; empty if there are none
  private final @Nullable ColumnReader ordinals; // null if all entries are wanted
  private final NumberVector numbers;
  private int nextRange;

  /** Borrows the index file, which the scan has pinned, and the shared memory. */
  IndexEntrySource(
      CompiledScan plan,
      BufferAllocator allocator,
      BlockMemory shared,
      IndexedRows.Entries entries) {
    super(plan, allocator, shared);
    this.entries = entries;
    this.numbers = new NumberVector(plan.blockRows());
    long rows = entries.file().entryCount();
    this.left = new long[entries.changed().length == 0 ? 0 : (int) ((rows + 63) >>> 6)];
    for (long ordinal : entries.changed()) {
      left[(int) (ordinal >>> 6)] |= 1L << ordinal;
    }
    boolean all = left.length == 0 && entries.from() == 0 && entries.to() == rows;
    this.ordinals = all ? null : entries.file().openOrdinals();
    if (ordinals != null) {
      ordinals.countInto(plan.work().reads());
    }
    readNextRange();
  }

  private void readNextRange() {
    long[] ranges = entries.ranges();
    if (nextRange < ranges.length) {
      readRows(ranges[nextRange], ranges[nextRange + 1], plan().blockRows());
      nextRange += 2;
    }
  }

  @Override
  @Nullable ColumnReader open(int columnId) {
    return entries.file().openColumn(columnId);
  }

  @Override
  public boolean isExhausted() {
    if (position() >= end()) {
      readNextRange();
    }
    return position() >= end();
  }

  @Override
  void openBlock(BlockMemory block) throws IOException {
    int count = beginBlock();
    moveTo(blockStart() + count);
    SelectionBitmap rows = block.selection();
    rows.selectAll(count);
    if (ordinals != null && count > 0) {
      numbers.clear(NumberVector.Kind.INTS);
      ordinals.readNumbers(blockStart(), count, numbers);
      for (int row = 0; row < count; row++) {
        if (isLeftOut(numbers.number(row))) {
          rows.clear(row);
        }
      }
    }
  }

  private boolean isLeftOut(long ordinal) {
    return ordinal < entries.from()
        || ordinal >= entries.to()
        || (left.length > 0 && (left[(int) (ordinal >>> 6)] >>> ordinal & 1) != 0);
  }

  @Override
  void rememberLast(int row) {}

  @Override
  void appendKeys(SelectionBitmap rows, BatchKeys keys) {
    throw new IllegalStateException("A scan that needs keys does not read entries of an index");
  }

  @Override
  public byte[] lowestKey() {
    return NO_KEY;
  }

  @Override
  public void lastKey(KeyBuffer out) {
    out.clear();
  }

  @Override
  public void close() {
    super.close();
    if (ordinals != null) {
      ordinals.close();
    }
  }
}
