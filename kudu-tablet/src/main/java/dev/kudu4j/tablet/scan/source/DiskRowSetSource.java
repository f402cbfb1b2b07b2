package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.RowSetKeyCursor;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import dev.kudu4j.tablet.scan.index.FileIndexSearch;
import dev.kudu4j.tablet.scan.index.IndexedRows;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a DiskRowSet: base data by ordinal, with the changes of its DeltaMemStores and delta
 * files applied.
 *
 * <p>Key bounds are converted to a range of ordinals, and given keys to the ordinals of the keys
 * that exist. Insert timestamps are read only if some are at or above the snapshot, or at or above
 * the start of a diff scan. Pages that the statistics exclude, or in which no row is selected, are
 * not read. If no cell is needed, rows are only counted.
 */
public final class DiskRowSetSource extends PagedSource {
  /**
   * The maximum number of rows counted in one step. It keeps the row count of a batch within an
   * int.
   */
  private static final int MAX_COUNTED_ROWS = 1 << 28;

  private final DiskRowSet rowSet;
  private final BaseData base;
  private final List<DeltaIterator> deltaIterators = new ArrayList<>();
  private final boolean readsTimestamps;
  private long @Nullable [] given; // the ordinals of the rows to read; null to find them
  private @Nullable RowSetKeyCursor keys;
  private boolean started;
  private boolean counted; // whether rows were counted without reading them
  private @Nullable WantedRows wanted; // null before the start
  private @Nullable IndexEntrySource entries; // null if none are left
  private long bytesOfEntries;
  private long lastOrdinal = -1;

  /** Borrows the rowset, which the scan has pinned, and the shared memory. */
  public DiskRowSetSource(
      CompiledScan plan,
      BufferAllocator allocator,
      @Nullable BlockMemory shared,
      DiskRowSet rowSet) {
    super(plan, allocator, shared);
    this.rowSet = rowSet;
    this.base = rowSet.base();
    long seenFrom = plan.isDiff() ? plan.diffStart() : plan.snapshot();
    this.readsTimestamps = base.maxInsertTimestamp() >= seenFrom;
  }

  /**
   * Reads given rows.
   *
   * @param ordinals ascending
   */
  public static DiskRowSetSource ofRows(
      CompiledScan plan, BufferAllocator allocator, DiskRowSet rowSet, long[] ordinals) {
    DiskRowSetSource source = new DiskRowSetSource(plan, allocator, null, rowSet);
    source.given = ordinals;
    return source;
  }

  /** Whether the rowset cannot contain a row of the scan. */
  public static boolean isOutside(CompiledScan plan, DiskRowSet rowSet) {
    BaseData base = rowSet.base();
    return base.minInsertTimestamp() >= plan.snapshot()
        || (plan.lowerKey() != null && Arrays.compareUnsigned(base.maxKey(), plan.lowerKey()) < 0)
        || (plan.upperKey() != null && Arrays.compareUnsigned(base.minKey(), plan.upperKey()) >= 0);
  }

  @Override
  @Nullable ColumnReader open(int columnId) {
    return rowSet.onDisk().openColumn(columnId);
  }

  private void start() throws IOException {
    if (started) {
      return;
    }
    started = true;
    read(given == null ? WantedRows.of(plan(), base) : WantedRows.listed(given));
    if (position() >= end()) {
      countAsSkipped();
    } else {
      deltaIterators.addAll(RowSetDeltas.of(plan(), rowSet));
      findByIndex();
    }
  }

  private void read(WantedRows rows) {
    wanted = rows;
    int max = plan().blockRows();
    readRows(
        rows.isEmpty() ? 0 : rows.first(),
        rows.isEmpty() ? 0 : rows.end(),
        rows.isSparse() ? Math.min(CompiledScan.KEYED_BLOCK_ROWS, max) : max);
  }

  /**
   * Restricts the rows to those that an index says may match, or reads entries of an index instead,
   * if that saves time.
   */
  private void findByIndex() throws IOException {
    if (!wanted().isRange() || !plan().mayUseIndex()) {
      return;
    }
    IndexedRows found =
        FileIndexSearch.find(plan().indexQuery(), rowSet, allocator(), position(), end());
    if (found instanceof IndexedRows.Listed listed) {
      plan().work().addIndexed(listed.ordinals().length);
      read(WantedRows.listed(listed.ordinals()));
    } else if (found instanceof IndexedRows.Entries range) {
      plan().work().addIndexed(range.count() + range.changed().length);
      entries = new IndexEntrySource(plan(), allocator(), memory(), range);
      read(WantedRows.listed(range.changed()).between(position(), end()));
    }
  }

  private WantedRows wanted() {
    assert wanted != null : "the source has started";
    return wanted;
  }

  private void countAsSkipped() {
    if (plan().isSingleKey() || plan().isKeyed()) {
      plan().work().addWithoutKeys();
    } else {
      plan().work().addOutside(1);
    }
  }

  @Override
  public boolean isExhausted() throws IOException {
    start();
    return entries() == null && position() >= end();
  }

  /** The entries of an index, which are read before the rows of base data; null if none is left. */
  private @Nullable IndexEntrySource entries() {
    if (entries != null && entries.isExhausted()) {
      closeEntries();
    }
    return entries;
  }

  private void closeEntries() {
    if (entries != null) {
      countRows(entries.rowsScanned());
      bytesOfEntries = entries.bytesRead();
      entries.close();
      entries = null;
    }
  }

  @Override
  public byte[] lowestKey() {
    byte[] lower = plan().lowerKey();
    byte[] min = base.minKey();
    return lower != null && Arrays.compareUnsigned(lower, min) > 0 ? lower : min;
  }

  @Override
  public void readBlock(ColumnBatch out, int maxRows, @Nullable BatchKeys batchKeys)
      throws IOException {
    start();
    IndexEntrySource indexed = entries();
    if (indexed != null) {
      indexed.readBlock(out, maxRows, batchKeys);
      return;
    }
    if (batchKeys == null && out.schema().columnCount() == 0 && onlyCounts()) {
      int rows = skipCounted(maxRows);
      out.setRowCount(out.rowCount() + rows);
      lastOrdinal = rows > 0 ? position() - 1 : lastOrdinal;
      return;
    }
    super.readBlock(out, maxRows, batchKeys);
  }

  @Override
  public void visitBlock(BlockVisitor visitor) throws IOException {
    start();
    IndexEntrySource indexed = entries();
    if (indexed != null) {
      indexed.visitBlock(visitor);
    } else if (plan().columns().count() == 0 && onlyCounts() && visitor.onlyCounts()) {
      visitor.count(skipCounted(MAX_COUNTED_ROWS));
    } else if (!summarize(visitor)) {
      super.visitBlock(visitor);
    }
  }

  /**
   * Passes the statistics of all pages to the visitor if these are all that it needs, and if all
   * rows match and none has changed.
   *
   * @return false if nothing was passed
   */
  private boolean summarize(BlockVisitor visitor) {
    boolean whole = position() == 0 && end() == base.rowCount() && end() <= MAX_COUNTED_ROWS;
    int[] columns = whole && onlyCounts() ? visitor.summarizedColumns() : null;
    if (columns == null) {
      return false;
    }
    List<ColumnSummary> summaries = new ArrayList<>();
    for (int column : columns) {
      ColumnReader reader = reader(column);
      ColumnSummary summary =
          reader == null ? null : ColumnSummary.of(column, plan().columns().column(column), reader);
      if (summary == null) {
        return false;
      }
      summaries.add(summary);
    }
    summaries.forEach(visitor::addSummary);
    visitor.count(skipCounted(MAX_COUNTED_ROWS));
    return true;
  }

  private int skipCounted(int maxRows) {
    int rows = (int) Math.min(Math.min(maxRows, MAX_COUNTED_ROWS), end() - position());
    moveTo(position() + rows);
    countRows(rows);
    plan().work().addCountedRows(rows);
    plan().work().addMatched(rows);
    if (!counted) {
      counted = true;
      plan().work().addCounted();
    }
    return rows;
  }

  /** Whether all rows match and only their number is needed. */
  private boolean onlyCounts() {
    return wanted().isRange()
        && plan().predicate() == PredicateNode.ALL
        && !readsTimestamps
        && deltaIterators.isEmpty()
        && !plan().isDiff();
  }

  @Override
  void openBlock(BlockMemory block) throws IOException {
    int count = beginBlock();
    SelectionBitmap rows = block.selection();
    if (wanted().isRange()) {
      rows.selectAll(count);
      moveTo(blockStart() + count);
    } else {
      count = wanted().select(rows, blockStart(), count, block.bits());
      moveTo(wanted().next());
    }
    long @Nullable [] timestamps = null;
    if (readsTimestamps && count > 0) {
      timestamps = block.numbers();
      base.readInsertTimestamps(blockStart(), count, timestamps);
      keepInserted(timestamps, count, block.bits());
      rows.retain(block.bits(), 0, SelectionBitmap.wordCount(count));
    }
    for (DeltaIterator deltas : deltaIterators) {
      deltas.addTo(block.changes(), blockStart(), count);
    }
    dropByChanges(rows, timestamps);
  }

  private void keepInserted(long[] timestamps, int count, long[] bits) {
    long snapshot = plan().snapshot();
    for (int from = 0; from < count; from += 64) {
      int some = Math.min(64, count - from);
      long word = 0;
      for (int i = 0; i < some; i++) {
        word |= (timestamps[from + i] < snapshot ? 1L : 0L) << i;
      }
      bits[from >>> 6] = word;
    }
  }

  @Override
  void rememberLast(int row) {
    lastOrdinal = blockStart() + row;
  }

  @Override
  void appendKeys(SelectionBitmap rows, BatchKeys batchKeys) throws IOException {
    ChangeOverlay changes = memory().changes();
    for (int row = rows.next(0); row >= 0; row = rows.next(row + 1)) {
      RowSetKeyCursor key = keyOf(blockStart() + row);
      batchKeys.add(key.keyArray(), 0, key.keyLength(), changes.isDead(row));
    }
  }

  private RowSetKeyCursor keyOf(long ordinal) throws IOException {
    if (keys == null) {
      keys = base.openKeys();
      keys.seek(ordinal);
    } else if (ordinal == keys.ordinal() + 1) {
      keys.next();
    } else if (ordinal != keys.ordinal()) {
      keys.seek(ordinal);
    }
    return keys;
  }

  @Override
  public void lastKey(KeyBuffer out) throws IOException {
    out.clear();
    if (lastOrdinal >= 0) {
      RowSetKeyCursor key = keyOf(lastOrdinal);
      out.append(key.keyArray(), 0, key.keyLength());
    }
  }

  @Override
  public long rowsScanned() {
    return super.rowsScanned() + (entries == null ? 0 : entries.rowsScanned());
  }

  @Override
  public long bytesRead() {
    return super.bytesRead() + (entries == null ? bytesOfEntries : entries.bytesRead());
  }

  @Override
  public void close() {
    closeEntries();
    super.close();
    deltaIterators.forEach(DeltaIterator::close);
    deltaIterators.clear();
    if (keys != null) {
      keys.close();
      keys = null;
    }
  }
}
