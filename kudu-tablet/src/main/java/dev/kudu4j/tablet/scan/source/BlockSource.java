package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Processes a block in the same way for all sources: selects the rows that are visible at the
 * snapshot and not deleted, applies the predicate tree, and appends the cells of the remaining rows
 * to the output.
 *
 * <p>Columns that the predicate tree has read are copied from scratch vectors. The other columns
 * are read afterwards, and only for rows that match.
 */
abstract class BlockSource implements RowSource, RowBlock {
  private static final byte[] DELETED = {1};
  private static final byte[] NOT_DELETED = {0};

  private final CompiledScan plan;
  private final BufferAllocator allocator;
  private final boolean ownsMemory;
  private @Nullable BlockMemory memory;
  private long rowsScanned;

  /**
   * @param shared borrowed scratch memory; if null, the source allocates its own memory
   */
  BlockSource(CompiledScan plan, BufferAllocator allocator, @Nullable BlockMemory shared) {
    this.plan = plan;
    this.allocator = allocator;
    this.memory = shared;
    this.ownsMemory = shared == null;
  }

  /** Moves to the next block: fills the change overlay and selects the visible rows. */
  abstract void openBlock(BlockMemory block) throws IOException;

  /** Fills an empty vector with the cells of the rows {@code [from, to)}, with changes applied. */
  abstract void load(int column, int from, int to, ColumnVector cells) throws IOException;

  /** Appends the cells of the selected rows of a column that is not in a scratch vector. */
  abstract void appendSelected(int column, SelectionBitmap rows, int selected, ColumnVector out)
      throws IOException;

  /** Records the last appended row of the block for {@link #lastKey}. */
  abstract void rememberLast(int row);

  abstract void appendKeys(SelectionBitmap rows, BatchKeys keys) throws IOException;

  final CompiledScan plan() {
    return plan;
  }

  /** The allocator of the scan. */
  final BufferAllocator allocator() {
    return allocator;
  }

  final BlockMemory memory() {
    if (memory == null) {
      memory = new BlockMemory(plan, allocator);
    }
    return memory;
  }

  @Override
  public void readBlock(ColumnBatch out, int maxRows, @Nullable BatchKeys keys) throws IOException {
    SelectionBitmap rows = filterBlock();
    rows.keepFirst(maxRows);
    int selected = rows.count();
    plan.work().addMatched(selected);
    if (selected > 0) {
      int before = out.rowCount();
      project(rows, selected, out);
      out.setRowCount(before + selected);
      rememberLast(rows.previous(rows.rowCount()));
      if (keys != null) {
        appendKeys(rows, keys);
      }
    }
  }

  /** Moves to the next block and selects the matching rows. */
  private SelectionBitmap filterBlock() throws IOException {
    SelectionBitmap rows = nextBlock();
    if (!rows.isEmpty()) {
      plan.predicate().filter(this, rows);
    }
    return rows;
  }

  /** Moves to the next block and selects the visible rows. */
  private SelectionBitmap nextBlock() throws IOException {
    BlockMemory block = memory();
    block.begin();
    long changesBefore = block.changes().visited();
    openBlock(block);
    plan.work().addChanges(block.changes().visited() - changesBefore);
    SelectionBitmap rows = block.selection();
    rowsScanned += rows.rowCount();
    plan.work().addVisited(rows.rowCount());
    return rows;
  }

  @Override
  public void visitBlock(BlockVisitor visitor) throws IOException {
    SelectionBitmap rows = nextBlock();
    if (rows.isEmpty() || sumBlock(rows, visitor)) {
      return;
    }
    plan.predicate().filter(this, rows);
    if (!rows.isEmpty()) {
      plan.work().addMatched(rows.count());
      visitor.visit(this);
    }
  }

  /**
   * Passes the visitor a sum instead of the block if the visitor needs nothing else.
   *
   * @param rows the visible rows
   * @return false if nothing was passed
   */
  boolean sumBlock(SelectionBitmap rows, BlockVisitor visitor) throws IOException {
    return false;
  }

  @Override
  public final SelectionBitmap selection() {
    return memory().selection();
  }

  private void project(SelectionBitmap rows, int selected, ColumnBatch out) throws IOException {
    ScanColumns columns = plan.columns();
    for (int i = 0; i < columns.projectedCount(); i++) {
      int column = columns.projected(i);
      if (column == ScanColumns.IS_DELETED) {
        appendDeletedFlags(rows, out.column(i));
      } else {
        appendSelected(column, selected, out.column(i));
      }
    }
  }

  @Override
  public final void appendSelected(int column, int selected, ColumnVector out) throws IOException {
    SelectionBitmap rows = memory().selection();
    if (memory().isLoaded(column)) {
      appendLoaded(column, rows, selected, out);
    } else {
      appendSelected(column, rows, selected, out);
    }
  }

  private void appendLoaded(int column, SelectionBitmap rows, int selected, ColumnVector out) {
    ColumnVector cells = memory().vector(column);
    if (selected == cells.rowCount()) {
      out.appendRange(cells, 0, selected);
      return;
    }
    int first = memory().firstRow(column);
    long[] bits = memory().bits();
    rows.slice(first, first + cells.rowCount(), bits);
    out.appendSelected(cells, bits, cells.rowCount());
  }

  private void appendDeletedFlags(SelectionBitmap rows, ColumnVector out) {
    ChangeOverlay changes = memory().changes();
    for (int row = rows.next(0); row >= 0; row = rows.next(row + 1)) {
      out.append(changes.isDead(row) ? DELETED : NOT_DELETED, 0, 1);
    }
  }

  /**
   * Drops the rows that are deleted at the snapshot. In a diff scan, drops instead the rows that
   * are not part of the difference.
   */
  final void dropByChanges(SelectionBitmap rows, long @Nullable [] insertTimestamps) {
    ChangeOverlay changes = memory().changes();
    if (plan.isDiff()) {
      keepDifferent(rows, changes, insertTimestamps);
    } else if (!changes.isEmpty()) {
      rows.clearAll(changes.dead());
    }
  }

  /**
   * For a diff scan: keeps live rows that were changed or inserted since {@link
   * CompiledScan#diffStart}, and deleted rows that were live at that time.
   *
   * @param insertTimestamps null if all rows were inserted before {@link CompiledScan#diffStart}
   */
  private void keepDifferent(
      SelectionBitmap rows, ChangeOverlay changes, long @Nullable [] insertTimestamps) {
    long[] wanted = rows.words();
    for (int word = 0; word < SelectionBitmap.wordCount(rows.rowCount()); word++) {
      long inserted = 0;
      if (insertTimestamps != null) {
        int count = Math.min(64, rows.rowCount() - (word << 6));
        for (int i = 0; i < count; i++) {
          inserted |= (insertTimestamps[(word << 6) + i] >= plan.diffStart() ? 1L : 0L) << i;
        }
      }
      long dead = changes.dead()[word];
      long liveAtStart = ~inserted & ~changes.deadAtStart()[word];
      long shown = (~dead & (inserted | changes.changed()[word])) | (dead & liveAtStart);
      wanted[word] &= shown & (inserted | changes.changed()[word]);
    }
  }

  @Override
  public final ColumnVector cells(int column) throws IOException {
    ColumnVector cells = memory().vector(column);
    if (!memory().isLoaded(column)) {
      SelectionBitmap rows = memory().selection();
      int from = rows.next(0) & ~63;
      int to = rows.previous(rows.rowCount()) + 1;
      cells.clear();
      load(column, from, to, cells);
      memory().setLoaded(column, from);
    }
    return cells;
  }

  @Override
  public final int firstRow(int column) {
    return memory().firstRow(column);
  }

  /** Appends the read default of a column that was added after the rows were written. */
  final void appendDefault(int column, int count, ColumnVector cells) {
    ColumnSchema schema = plan.columns().column(column);
    byte[] cell = schema.readDefault();
    if (cell == null && !schema.isNullable()) {
      throw KuduException.corruption(
          "Stored rows lack column %s, which is not nullable and has no read default", schema);
    }
    for (int i = 0; i < count; i++) {
      if (cell == null) {
        cells.appendNull();
      } else {
        cells.append(cell, 0, cell.length);
      }
    }
  }

  @Override
  public long rowsScanned() {
    return rowsScanned;
  }

  final void countRows(long rows) {
    rowsScanned += rows;
  }

  @Override
  public void close() {
    if (ownsMemory && memory != null) {
      memory.close();
    }
  }
}
