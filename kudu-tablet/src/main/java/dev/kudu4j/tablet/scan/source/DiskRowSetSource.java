package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.cfile.CellFilter;
import dev.kudu4j.tablet.cfile.CellSum;
import dev.kudu4j.tablet.cfile.ColumnReader;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.RowSetKeyCursor;
import dev.kudu4j.tablet.scan.block.PageFilter;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import dev.kudu4j.tablet.scan.index.FileIndexSearch;
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
public final class DiskRowSetSource extends BlockSource {
  /**
   * The maximum number of rows counted in one step. It keeps the row count of a batch within an
   * int.
   */
  private static final int MAX_COUNTED_ROWS = 1 << 28;

  /**
   * The maximum number of pages that a block reads of one text column; bounds the size of a block.
   */
  private static final int MAX_TEXT_PAGES = 4;

  private final DiskRowSet rowSet;
  private final BaseData base;
  private final List<DeltaIterator> deltaIterators = new ArrayList<>();
  private final ColumnReader[] readers;
  private final boolean[] opened;
  private final PageVerdicts verdicts;
  private final boolean readsTimestamps;
  private @Nullable EncodedSum encodedSum; // null if the visitor needs more; set in the first block
  private boolean sumKnown;
  private @Nullable RowSetKeyCursor keys;
  private boolean started;
  private boolean counted; // whether rows were counted without reading them
  private @Nullable WantedRows wanted; // null before the start
  private int maxBlockRows;
  private long position;
  private long end;
  private long blockStart;
  private int nextBlockRows;
  private long lastOrdinal = -1;
  private long bytesRead;

  /** Borrows the rowset, which the scan has pinned, and the shared memory. */
  public DiskRowSetSource(
      CompiledScan plan,
      BufferAllocator allocator,
      @Nullable BlockMemory shared,
      DiskRowSet rowSet) {
    super(plan, allocator, shared);
    this.rowSet = rowSet;
    this.base = rowSet.base();
    this.nextBlockRows = plan.firstBlockRows();
    this.readers = new ColumnReader[plan.columns().count()];
    this.opened = new boolean[readers.length];
    this.verdicts = new PageVerdicts(plan.work(), readers.length);
    long seenFrom = plan.isDiff() ? plan.diffStart() : plan.snapshot();
    this.readsTimestamps = base.maxInsertTimestamp() >= seenFrom;
  }

  /** Whether the rowset cannot contain a row of the scan. */
  public static boolean isOutside(CompiledScan plan, DiskRowSet rowSet) {
    BaseData base = rowSet.base();
    return base.minInsertTimestamp() >= plan.snapshot()
        || (plan.lowerKey() != null && Arrays.compareUnsigned(base.maxKey(), plan.lowerKey()) < 0)
        || (plan.upperKey() != null && Arrays.compareUnsigned(base.minKey(), plan.upperKey()) >= 0);
  }

  private void start() throws IOException {
    if (started) {
      return;
    }
    started = true;
    read(WantedRows.of(plan(), base));
    if (position >= end) {
      countAsSkipped();
    } else {
      deltaIterators.addAll(RowSetDeltas.of(plan(), rowSet));
      findByIndex();
    }
  }

  private void read(WantedRows rows) {
    wanted = rows;
    position = rows.isEmpty() ? 0 : rows.first();
    end = rows.isEmpty() ? 0 : rows.end();
    maxBlockRows =
        rows.isSparse()
            ? Math.min(CompiledScan.KEYED_BLOCK_ROWS, plan().blockRows())
            : plan().blockRows();
    nextBlockRows = Math.min(nextBlockRows, maxBlockRows);
  }

  /** Restricts the rows to those that an index says may match, if that saves time. */
  private void findByIndex() throws IOException {
    if (!wanted().isRange() || !plan().mayUseIndex()) {
      return;
    }
    long[] found = FileIndexSearch.find(plan().indexQuery(), rowSet, allocator(), position, end);
    if (found != null) {
      plan().work().addIndexed(found.length);
      read(WantedRows.listed(found));
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
    return position >= end;
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
    if (batchKeys == null && out.schema().columnCount() == 0 && onlyCounts()) {
      int rows = skipCounted(maxRows);
      out.setRowCount(out.rowCount() + rows);
      lastOrdinal = rows > 0 ? position - 1 : lastOrdinal;
      return;
    }
    super.readBlock(out, maxRows, batchKeys);
  }

  @Override
  public void visitBlock(BlockVisitor visitor) throws IOException {
    start();
    if (plan().columns().count() == 0 && onlyCounts() && visitor.onlyCounts()) {
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
    boolean whole = position == 0 && end == base.rowCount() && end <= MAX_COUNTED_ROWS;
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

  @Override
  boolean sumBlock(SelectionBitmap rows, BlockVisitor visitor) throws IOException {
    if (!sumKnown) {
      sumKnown = true;
      encodedSum = EncodedSum.of(plan(), visitor, verdicts);
    }
    boolean all = memory().changes().isEmpty() && rows.count() == rows.rowCount();
    EncodedSum wanted = encodedSum;
    ColumnReader reader = wanted == null || !all ? null : reader(wanted.column());
    CellSum sum =
        wanted == null || reader == null
            ? null
            : wanted.of(reader, blockStart, blockStart + rows.rowCount());
    if (sum == null) {
      return false;
    }
    plan().work().addMatched(sum.rows());
    visitor.add(sum);
    return true;
  }

  private int skipCounted(int maxRows) {
    int rows = (int) Math.min(Math.min(maxRows, MAX_COUNTED_ROWS), end - position);
    position += rows;
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
    blockStart = position;
    int count = blockRows();
    SelectionBitmap rows = block.selection();
    if (wanted().isRange()) {
      rows.selectAll(count);
      position += count;
    } else {
      count = wanted().select(rows, blockStart, count, block.bits());
      position = wanted().next();
    }
    long @Nullable [] timestamps = null;
    if (readsTimestamps && count > 0) {
      timestamps = block.numbers();
      base.readInsertTimestamps(blockStart, count, timestamps);
      keepInserted(timestamps, count, block.bits());
      rows.retain(block.bits(), 0, SelectionBitmap.wordCount(count));
    }
    for (DeltaIterator deltas : deltaIterators) {
      deltas.addTo(block.changes(), blockStart, count);
    }
    dropByChanges(rows, timestamps);
  }

  /**
   * The number of rows of the next block. Blocks end at multiples of their size, which aligns them
   * with the stripes of packed pages.
   */
  private int blockRows() throws IOException {
    int max = nextBlockRows;
    nextBlockRows = (int) Math.min((long) CompiledScan.GROWTH * max, maxBlockRows);
    long rows = Math.min(max - position % max, end - position);
    for (int column = 0; column < readers.length; column++) {
      ColumnReader reader = reader(column);
      if (rows > 64 && reader != null && reader.column().type().isVariableLength()) {
        int page = reader.pageOf(position);
        rows = Math.min(rows, Math.max(64L, (long) MAX_TEXT_PAGES * reader.rowCount(page)));
      }
    }
    return (int) rows;
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

  /** The reader of a column; null if no file has the column, because the column was added later. */
  private @Nullable ColumnReader reader(int column) {
    if (!opened[column]) {
      opened[column] = true;
      ColumnReader reader = rowSet.onDisk().openColumn(plan().columns().column(column).id());
      readers[column] = reader;
      if (reader != null) {
        reader.countInto(plan().work().reads());
        plan().work().addPages(reader.pageCount());
      }
    }
    return readers[column];
  }

  @Override
  public boolean prune(int column, PageFilter pageFilter, SelectionBitmap rows) {
    ColumnReader reader = reader(column);
    if (reader == null) {
      return false;
    }
    ChangeOverlay changes = memory().changes();
    boolean touched = changes.touches(column);
    long[] kept = touched ? changes.overridden(column) : null;
    boolean certain = !touched;
    int row = rows.next(0);
    while (row >= 0) {
      int page = reader.pageOf(blockStart + row);
      int pageEnd = pageEnd(reader, page, rows.rowCount());
      PageFilter.Verdict verdict =
          pageFilter.judge(
              reader.rowCount(page),
              reader.nullCount(page),
              reader.minimum(page),
              reader.maximum(page));
      verdicts.count(column, page, pageFilter, verdict);
      if (verdict == PageFilter.Verdict.NONE) {
        rows.clearRange(row, pageEnd, kept);
      } else if (verdict == PageFilter.Verdict.SOME) {
        certain = false;
      }
      row = rows.next(pageEnd);
    }
    return certain;
  }

  @Override
  public boolean filter(int column, CellFilter cellFilter, SelectionBitmap rows)
      throws IOException {
    ColumnReader reader = encoded(column);
    if (reader == null) {
      return false;
    }
    ChangeOverlay changes = memory().changes();
    if (!changes.touches(column)) {
      return filterPages(reader, cellFilter, rows);
    }
    long[] changed = memory().changedRows();
    rows.intersect(changes.overridden(column), changed);
    rows.clearAll(changed);
    boolean evaluated = filterPages(reader, cellFilter, rows);
    if (evaluated) {
      ChangedCells.filter(
          changes, column, cellFilter, memory().entries(column), changed, rows.rowCount());
    }
    rows.addAll(changed);
    return evaluated;
  }

  /**
   * Filters page by page. Returns false if the encoding of a page does not support the filter; the
   * caller must then filter the decoded cells.
   */
  private boolean filterPages(ColumnReader reader, CellFilter cellFilter, SelectionBitmap rows)
      throws IOException {
    int row = rows.next(0);
    while (row >= 0) {
      int page = reader.pageOf(blockStart + row);
      int from = (int) Math.max(0, reader.firstOrdinal(page) - blockStart);
      int pageEnd = pageEnd(reader, page, rows.rowCount());
      long[] bits = memory().bits();
      rows.slice(from, pageEnd, bits);
      if (!reader.filter(blockStart + from, pageEnd - from, cellFilter, bits)) {
        return false;
      }
      rows.retainRange(from, pageEnd, bits);
      row = rows.next(pageEnd);
    }
    return true;
  }

  /** The column's reader if the column's cells of this block are not decoded yet; else null. */
  private @Nullable ColumnReader encoded(int column) {
    return memory().isLoaded(column) ? null : reader(column);
  }

  @Override
  public void readNumbers(int column, int from, int count, NumberVector out) throws IOException {
    ColumnReader reader = encoded(column);
    out.clear(NumberVector.kindOf(plan().columns().column(column).type()));
    if (reader == null || !reader.readNumbers(blockStart + from, count, out)) {
      super.readNumbers(column, from, count, out);
    } else if (memory().changes().touches(column)) {
      memory().changes().applyTo(column, from, out);
    }
  }

  @Override
  public void pickNumbers(int column, int from, int[] rows, int count, NumberVector out)
      throws IOException {
    ColumnReader reader = encoded(column);
    out.clear(NumberVector.kindOf(plan().columns().column(column).type()));
    if (reader == null || !reader.pickNumbers(blockStart + from, rows, count, out)) {
      super.pickNumbers(column, from, rows, count, out);
    } else if (memory().changes().touches(column)) {
      memory().changes().applyTo(column, from, rows, out);
    }
  }

  @Override
  public boolean readCodes(int column, int from, int count, Dictionary dictionary, int[] codes)
      throws IOException {
    ColumnReader reader = encoded(column);
    if (reader == null
        || memory().changes().touches(column)
        || !reader.readCodes(blockStart + from, count, codes)) {
      return false;
    }
    if (!dictionary.isOf(reader, reader.currentPage())) {
      ColumnVector entries = memory().entries(column);
      entries.clear();
      reader.readEntries(entries);
      dictionary.load(reader, reader.currentPage(), entries);
    }
    return true;
  }

  /** The block's row at which a page ends, at most the end of the block. */
  private int pageEnd(ColumnReader reader, int page, int rowCount) {
    long behind = reader.firstOrdinal(page) + reader.rowCount(page) - blockStart;
    return (int) Math.min(behind, rowCount);
  }

  @Override
  void load(int column, int from, int to, ColumnVector cells) throws IOException {
    ColumnReader reader = reader(column);
    if (reader == null) {
      appendDefault(column, to - from, cells);
    } else {
      read(reader, from, to, cells);
    }
    ChangeOverlay changes = memory().changes();
    if (changes.touches(column)) {
      changes.applyTo(column, from, to, cells, 0);
    }
  }

  private void read(ColumnReader reader, int from, int to, ColumnVector cells) throws IOException {
    long before = cells.bytes();
    reader.read(blockStart + from, to - from, cells);
    bytesRead += cells.bytes() - before;
    plan().work().addDecoded(to - from);
  }

  /** Reads page by page and skips pages without a selected row. */
  @Override
  void appendSelected(int column, SelectionBitmap rows, int selected, ColumnVector out)
      throws IOException {
    ColumnReader reader = reader(column);
    if (reader == null && !memory().changes().touches(column)) {
      appendDefault(column, selected, out);
      return;
    }
    int from = rows.next(0);
    while (from >= 0) {
      int pageEnd =
          reader == null
              ? rows.rowCount()
              : pageEnd(reader, reader.pageOf(blockStart + from), rows.rowCount());
      appendPart(column, rows, from, rows.previous(pageEnd) + 1, out);
      from = rows.next(pageEnd);
    }
  }

  private void appendPart(int column, SelectionBitmap rows, int from, int to, ColumnVector out)
      throws IOException {
    boolean touched = memory().changes().touches(column);
    boolean direct = !touched && rows.count(from, to) == to - from;
    ColumnReader reader = reader(column);
    if (direct && reader != null) {
      read(reader, from, to, out);
      return;
    }
    ColumnVector scratch = memory().vector(column);
    scratch.clear();
    load(column, from, to, scratch);
    rows.slice(from, to, memory().bits());
    out.appendSelected(scratch, memory().bits(), to - from);
  }

  @Override
  void rememberLast(int row) {
    lastOrdinal = blockStart + row;
  }

  @Override
  void appendKeys(SelectionBitmap rows, BatchKeys batchKeys) throws IOException {
    ChangeOverlay changes = memory().changes();
    for (int row = rows.next(0); row >= 0; row = rows.next(row + 1)) {
      RowSetKeyCursor key = moveTo(blockStart + row);
      batchKeys.add(key.keyArray(), 0, key.keyLength(), changes.isDead(row));
    }
  }

  private RowSetKeyCursor moveTo(long ordinal) throws IOException {
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
      RowSetKeyCursor key = moveTo(lastOrdinal);
      out.append(key.keyArray(), 0, key.keyLength());
    }
  }

  @Override
  public long bytesRead() {
    long bytes = bytesRead;
    for (ColumnReader reader : readers) {
      bytes += reader == null ? 0 : reader.encodedBytes();
    }
    return bytes;
  }

  @Override
  public void close() {
    bytesRead = bytesRead();
    super.close();
    deltaIterators.forEach(DeltaIterator::close);
    deltaIterators.clear();
    for (int i = 0; i < readers.length; i++) {
      if (readers[i] != null) {
        readers[i].close();
        readers[i] = null;
      }
    }
    if (keys != null) {
      keys.close();
      keys = null;
    }
  }
}
