package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.memrowset.MemRow;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.memrowset.RowFormat;
import dev.kudu4j.tablet.scan.block.PageFilter;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import dev.kudu4j.tablet.scan.index.MemIndexSearch;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a MemRowSet, active or frozen, in key order.
 *
 * <p>A block is a list of row addresses. {@link ChangeOverlay} applies the mutation chains. Rows
 * that the writer adds concurrently are not visible, whether or not the cursor reaches them: their
 * timestamps are not below the snapshot.
 */
public final class MemRowSetSource extends BlockSource {
  private static final byte[] NO_KEY = new byte[0];

  /** The maximum number of invisible rows skipped before a block ends. */
  private static final int MAX_STEPS = 1 << 16;

  /**
   * The target size of a block with text. The first block has only {@link #FIRST_TEXT_BLOCK_ROWS}
   * rows, because the size of the rows is not known yet.
   */
  private static final long TEXT_BLOCK_BYTES = 1 << 20;

  private static final int FIRST_TEXT_BLOCK_ROWS = 256;
  private static final int NO_LAYOUT = -1;

  private final MemRowSet rows;
  private final boolean anyText;
  private final long @Nullable [] insertTimestamps; // null unless this is a diff scan
  private MemRowSet.@Nullable Cursor cursor; // null before the start
  private long @Nullable [] found; // by key, or in the order of the caller; null for all rows
  private int nextFound;
  private long current; // the row that the next block begins with, if one is pending
  private boolean pending;
  private int nextKey; // index of the next key in plan().keys()
  private boolean opened;
  private int nextBlockRows;
  private long heaviestCells;
  private RowFormat[] formats = new RowFormat[1];
  private int[][] columnByLayout = new int[1][];
  private long lastRow;

  // The column being read, and its position in the layout of the last row.
  private int column;
  private boolean changed;
  private long[] addresses = {};
  private int layout;
  private int indexInLayout;

  @SuppressWarnings("NullAway.Init") // set with the first row whose layout has the column
  private RowFormat format;

  /** Borrows the rowset, which the scan has pinned, and the shared memory. */
  public MemRowSetSource(
      CompiledScan plan, BufferAllocator allocator, @Nullable BlockMemory shared, MemRowSet rows) {
    super(plan, allocator, shared);
    this.rows = rows;
    boolean text = false;
    for (int i = 0; i < plan.columns().count(); i++) {
      text |= plan.columns().column(i).type().isVariableLength();
    }
    this.anyText = text;
    this.nextBlockRows =
        text ? Math.min(FIRST_TEXT_BLOCK_ROWS, plan.firstBlockRows()) : plan.firstBlockRows();
    this.insertTimestamps = plan.isDiff() ? new long[plan.blockRows()] : null;
  }

  /** Reads given rows, by their addresses, in this order. */
  public static MemRowSetSource ofRows(
      CompiledScan plan, BufferAllocator allocator, MemRowSet rows, long[] addresses) {
    MemRowSetSource source = new MemRowSetSource(plan, allocator, null, rows);
    source.found = addresses;
    return source;
  }

  private void start() throws IOException {
    if (cursor != null) {
      return;
    }
    cursor = rows.cursor();
    byte[] lower = plan().lowerKey();
    if (lower != null && !plan().isKeyed()) {
      cursor.seek(lower, 0, lower.length);
    }
    if (plan().mayUseIndex()) {
      found = MemIndexSearch.find(plan().indexQuery(), rows, allocator());
    }
    if (found != null) {
      plan().work().addFoundInMemory(found.length);
      while (lower != null && nextFound < found.length && compareKey(found[nextFound], lower) < 0) {
        nextFound++;
      }
    }
    step();
  }

  private MemRowSet.Cursor cursor() {
    assert cursor != null : "the source has not started";
    return cursor;
  }

  private void step() {
    List<byte[]> keys = plan().keys();
    if (found != null) {
      pending = nextFound < found.length && isBelowUpper(found[nextFound]);
      current = pending ? found[nextFound++] : 0;
      return;
    }
    pending = keys != null ? findNextKey(keys) : cursor().next() && isBelowUpper(cursor().row());
    current = pending ? cursor().row() : 0;
  }

  private boolean findNextKey(List<byte[]> keys) {
    while (nextKey < keys.size()) {
      byte[] key = keys.get(nextKey++);
      cursor().seek(key, 0, key.length);
      if (cursor().next() && compareKey(cursor().row(), key) == 0) {
        return true;
      }
    }
    return false;
  }

  private static int compareKey(long row, byte[] key) {
    return Memory.compare(MemRow.keyAddress(row), MemRow.keyLength(row), key, 0, key.length);
  }

  private boolean isBelowUpper(long row) {
    byte[] upper = plan().upperKey();
    return upper == null || compareKey(row, upper) < 0;
  }

  @Override
  public boolean isExhausted() throws IOException {
    start();
    return !pending;
  }

  @Override
  public byte[] lowestKey() throws IOException {
    start();
    if (!pending) {
      return NO_KEY;
    }
    byte[] key = new byte[MemRow.keyLength(current)];
    Memory.copy(MemRow.keyAddress(current), key, 0, key.length);
    return key;
  }

  @Override
  void openBlock(BlockMemory block) throws IOException {
    start();
    if (opened) {
      growBlock();
    }
    opened = true;
    long[] blockRows = block.numbers();
    ChangeOverlay changes = block.changes();
    int count = 0;
    for (int steps = 0; pending && count < nextBlockRows && steps < MAX_STEPS; steps++) {
      long row = current;
      long inserted = MemRow.insertTimestamp(row);
      if (inserted < plan().snapshot()) {
        long newest = MemRow.newestMutation(row);
        if (newest != 0) {
          changes.addChain(count, newest);
        }
        if (insertTimestamps != null) {
          insertTimestamps[count] = inserted;
        }
        blockRows[count++] = row;
      }
      step();
    }
    block.selection().selectAll(count);
    dropByChanges(block.selection(), insertTimestamps);
  }

  @Override
  void load(int column, int from, int to, ColumnVector cells) {
    plan().work().addDecoded(to - from);
    beginColumn(column);
    for (int row = from; row < to; row++) {
      appendCell(row, cells);
    }
  }

  @Override
  void appendSelected(int column, SelectionBitmap selection, int selected, ColumnVector out) {
    long before = out.bytes();
    plan().work().addDecoded(selected);
    beginColumn(column);
    for (int row = selection.next(0); row >= 0; row = selection.next(row + 1)) {
      appendCell(row, out);
    }
    if (anyText) {
      heaviestCells = Math.max(heaviestCells, (out.bytes() - before) / selected);
    }
  }

  /**
   * Grows the next block, but keeps its largest column near {@link #TEXT_BLOCK_BYTES}, based on the
   * cell sizes in the last block.
   */
  private void growBlock() {
    long max = Math.min((long) CompiledScan.GROWTH * nextBlockRows, plan().blockRows());
    if (heaviestCells > 0) {
      nextBlockRows = (int) Math.max(1, Math.min(max, TEXT_BLOCK_BYTES / heaviestCells));
      heaviestCells = 0;
    } else if (!anyText) {
      nextBlockRows = (int) max;
    }
  }

  /** Selects the column that {@link #appendCell} reads. */
  private void beginColumn(int number) {
    column = number;
    changed = memory().changes().touches(number);
    addresses = memory().numbers();
    layout = NO_LAYOUT;
  }

  private void appendCell(int row, ColumnVector out) {
    if (changed && memory().changes().isOverridden(column, row)) {
      appendChanged(row, out);
      return;
    }
    long address = addresses[row];
    if (MemRow.layout(address) != layout) {
      layout = MemRow.layout(address);
      indexInLayout = columnsOf(layout)[column];
      format = formats[layout];
    }
    if (indexInLayout < 0) {
      appendDefault(column, 1, out);
    } else if (format.isNull(address, indexInLayout)) {
      out.appendNull();
    } else {
      out.append(
          format.cellAddress(address, indexInLayout), format.cellLength(address, indexInLayout));
    }
  }

  private void appendChanged(int row, ColumnVector out) {
    ChangeOverlay changes = memory().changes();
    if (changes.isNull(column, row)) {
      out.appendNull();
    } else {
      out.append(changes.address(column, row), changes.length(column, row));
    }
  }

  /** The index of each scanned column in the rows of a layout, or -1. */
  private int[] columnsOf(int layout) {
    if (layout >= formats.length) {
      formats = Arrays.copyOf(formats, layout + 1);
      columnByLayout = Arrays.copyOf(columnByLayout, layout + 1);
    }
    if (columnByLayout[layout] == null) {
      formats[layout] = rows.format(layout);
      int[] indexes = new int[plan().columns().count()];
      for (int i = 0; i < indexes.length; i++) {
        indexes[i] = formats[layout].schema().indexOfId(plan().columns().column(i).id());
      }
      columnByLayout[layout] = indexes;
    }
    return columnByLayout[layout];
  }

  /** Drops nothing, because rows in memory have no pages with statistics. */
  @Override
  public boolean prune(int column, PageFilter pageFilter, SelectionBitmap selection) {
    return false;
  }

  @Override
  void rememberLast(int row) {
    lastRow = memory().numbers()[row];
  }

  @Override
  void appendKeys(SelectionBitmap selection, BatchKeys keys) {
    ChangeOverlay changes = memory().changes();
    for (int row = selection.next(0); row >= 0; row = selection.next(row + 1)) {
      long address = memory().numbers()[row];
      keys.add(MemRow.keyAddress(address), MemRow.keyLength(address), changes.isDead(row));
    }
  }

  @Override
  public void lastKey(KeyBuffer out) {
    out.clear();
    if (lastRow != 0) {
      int length = MemRow.keyLength(lastRow);
      int at = out.advance(length);
      Memory.copy(MemRow.keyAddress(lastRow), out.array(), at, length);
    }
  }

  @Override
  public long bytesRead() {
    return 0;
  }
}
