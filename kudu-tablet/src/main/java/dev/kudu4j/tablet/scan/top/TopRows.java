package dev.kudu4j.tablet.scan.top;

import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import dev.kudu4j.tablet.scan.collect.Collector;
import dev.kudu4j.tablet.scan.source.ScanColumns;
import java.io.IOException;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.jspecify.annotations.Nullable;

/**
 * Collects the first rows in an order. Each round returns its first rows, in order; the bound that
 * rows of earlier rounds set stays.
 *
 * <p>Of a block, it reads the first column of the order, drops the rows that rank above the bound,
 * then reads the other columns of the remaining rows. When twice as many rows as wanted are kept,
 * it copies the first ones and drops the rest; so a row is copied a few times at most. Without
 * memory for the copy it keeps all of them, and the scan ends the round. The results are not copied
 * in their order, only appended in it.
 */
public final class TopRows implements Collector {
  private static final int SLACK_ROWS = 1024;

  /** Memory of a row while the rows are sorted: an Integer, two references to it, a new rank. */
  private static final int SORTED_ROW_BYTES = 32;

  /**
   * The share of the off-heap memory that the kept rows may take. A copy of them takes up to three
   * times their size while it grows, because vectors double, and have both sizes then; and a block
   * is read besides.
   */
  private static final int HEADROOM_PER_KEPT = 4;

  private final TopN top;
  private final BufferAllocator allocator;
  private final Schema projection;
  private final RankedColumn first;
  private final RankHeap heap;
  private final boolean ranksDecide; // whether rows of equal rank come at the same place
  private final int[] columns; // number of each projected column in a block
  private final int[] ordered; // position of each column of the order in the projection
  private final long[] blockRanks;
  private ColumnBatch kept;
  private long[] ranks; // of the kept rows
  private int sorted; // rows of the batch that are in order; the others are behind them
  private int @Nullable [] results; // the kept rows to return; null before the end of the round

  /**
   * @param projection the columns of the result, among them those of the order
   * @param blockRows the maximum number of rows of a block
   * @param allocator not closed
   */
  public TopRows(
      TopN top, Schema projection, ScanColumns columns, int blockRows, BufferAllocator allocator) {
    this.top = top;
    this.allocator = allocator;
    this.projection = projection;
    this.first = new RankedColumn(top.order().get(0));
    this.heap = new RankHeap(top.count());
    this.ranksDecide = top.order().size() == 1 && first.isExact();
    this.columns = new int[projection.columnCount()];
    Arrays.setAll(this.columns, i -> columns.numberOfId(projection.column(i).id()));
    this.ordered = new int[top.order().size()];
    Arrays.setAll(ordered, i -> projection.indexOfId(top.order().get(i).column().id()));
    this.blockRanks = new long[blockRows];
    this.kept = new ColumnBatch(allocator, projection);
    this.ranks = new long[SLACK_ROWS];
  }

  @Override
  public boolean onlyCounts() {
    return false;
  }

  @Override
  public void count(long rows) {
    throw new IllegalStateException("The first rows of a scan cannot be counted");
  }

  @Override
  public void visit(RowBlock block) throws IOException {
    SelectionBitmap rows = block.selection();
    int column = columns[ordered[0]];
    if (heap.isFull()) {
      block.prune(column, first.upTo(heap.bound(), ranksDecide), rows);
    }
    if (!rows.isEmpty()) {
      dropByRank(rows, block.cells(column), block.firstRow(column));
    }
    if (!rows.isEmpty() && !ranksDecide && sorted == top.count()) {
      dropTies(block, rows);
    }
    if (!rows.isEmpty()) {
      keep(block, rows);
    }
  }

  /** Drops the rows that come after enough others, by their rank. */
  private void dropByRank(SelectionBitmap rows, ColumnVector cells, int firstRow) {
    for (int row = rows.next(0); row >= 0; row = rows.next(row + 1)) {
      long rank = first.rank(cells, row - firstRow);
      if (heap.isFull() && (ranksDecide ? rank >= heap.bound() : rank > heap.bound())) {
        rows.clear(row);
      } else {
        heap.offer(rank);
        blockRanks[row] = rank;
      }
    }
    if (heap.isFull()) { // the bound may have moved below rows of this block
      for (int row = rows.next(0); row >= 0; row = rows.next(row + 1)) {
        if (blockRanks[row] > heap.bound()) {
          rows.clear(row);
        }
      }
    }
  }

  /** Drops the rows that have the rank of the last wanted row, but come after it. */
  private void dropTies(RowBlock block, SelectionBitmap rows) throws IOException {
    int last = sorted - 1;
    long bound = ranks[last];
    for (int row = rows.next(0); row >= 0; row = rows.next(row + 1)) {
      if (blockRanks[row] == bound && compare(block, row, last) >= 0) {
        rows.clear(row);
      }
    }
  }

  private int compare(RowBlock block, int row, int keptRow) throws IOException {
    for (int i = 0; i < ordered.length; i++) {
      int column = columns[ordered[i]];
      byte[] cell = cell(block.cells(column), row - block.firstRow(column));
      int order = top.order().get(i).compare(cell, cell(kept.column(ordered[i]), keptRow));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static byte @Nullable [] cell(ColumnVector cells, int row) {
    if (cells.isNull(row)) {
      return null;
    }
    byte[] cell = new byte[cells.cellLength(row)];
    Memory.copy(cells.cellAddress(row), cell, 0, cell.length);
    return cell;
  }

  private void keep(RowBlock block, SelectionBitmap rows) throws IOException {
    int count = kept.rowCount();
    int selected = rows.count();
    for (int i = 0; i < columns.length; i++) {
      block.appendSelected(columns[i], selected, kept.column(i));
    }
    kept.setRowCount(count + selected);
    if (count + selected > ranks.length) {
      ranks = Arrays.copyOf(ranks, Math.max(count + selected, 2 * ranks.length));
    }
    for (int row = rows.next(0); row >= 0; row = rows.next(row + 1)) {
      ranks[count++] = blockRanks[row];
    }
    if (count >= 2L * top.count() + SLACK_ROWS) {
      compact();
    }
  }

  /** The kept rows that are wanted, in order. */
  private int[] inOrder() {
    int[] wanted = new int[Math.min(kept.rowCount(), top.count())];
    if (sorted == kept.rowCount()) {
      Arrays.setAll(wanted, i -> i);
      return wanted;
    }
    Integer[] order = new Integer[kept.rowCount()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, this::compareKept);
    Arrays.setAll(wanted, i -> order[i]);
    return wanted;
  }

  /** Replaces the kept rows by some of them. */
  private void keepOnly(int[] rows) {
    ColumnBatch copy = new ColumnBatch(allocator, projection);
    long[] copyRanks = new long[Math.max(SLACK_ROWS, rows.length)];
    try {
      for (int i = 0; i < rows.length; i++) {
        copy(rows[i], copy);
        copy.setRowCount(i + 1);
        copyRanks[i] = ranks[rows[i]];
      }
    } catch (RuntimeException | Error e) {
      copy.close();
      throw e;
    }
    kept.close();
    kept = copy;
    ranks = copyRanks;
    sorted = rows.length;
  }

  private int compareKept(int left, int right) {
    int order = Long.compare(ranks[left], ranks[right]);
    for (int i = 0; i < ordered.length && order == 0 && !ranksDecide; i++) {
      ColumnVector cells = kept.column(ordered[i]);
      order = top.order().get(i).compare(cell(cells, left), cell(cells, right));
    }
    return order;
  }

  private void copy(int row, ColumnBatch out) {
    for (int i = 0; i < columns.length; i++) {
      out.column(i).appendRange(kept.column(i), row, 1);
    }
  }

  @Override
  public long bytes() {
    return kept.bytes() + roundBytes();
  }

  @Override
  public long heapBytes() {
    return roundBytes() + heap.bytes() + (long) Long.BYTES * blockRanks.length;
  }

  /** The heap that a restart gives back, with the memory to sort. */
  private long roundBytes() {
    long order =
        results != null
            ? (long) Integer.BYTES * results.length
            : sorted == kept.rowCount() ? 0 : (long) SORTED_ROW_BYTES * kept.rowCount();
    return (long) Long.BYTES * ranks.length + order;
  }

  @Override
  public boolean hasHeadroom() {
    return HEADROOM_PER_KEPT * kept.bytes() <= allocator.getHeadroom();
  }

  /**
   * Drops the kept rows that are not wanted, unless there is too little memory to copy the others.
   */
  @Override
  public void compact() {
    if (kept.rowCount() <= top.count() || !hasHeadroom()) {
      return;
    }
    try {
      keepOnly(inOrder());
    } catch (OutOfMemoryException e) {
      // Other scans took the memory meanwhile; the rows are kept until the round ends.
    }
  }

  @Override
  public void finish() {
    results = inOrder();
  }

  @Override
  public int resultCount() {
    return results().length;
  }

  private int[] results() {
    assert results != null : "the round has ended";
    return results;
  }

  @Override
  public boolean append(int result, ColumnBatch out) {
    copy(results()[result], out);
    return true;
  }

  @Override
  public void restart() {
    kept.close();
    kept = new ColumnBatch(allocator, projection);
    ranks = new long[SLACK_ROWS];
    results = null;
    sorted = 0;
  }

  @Override
  public void close() {
    kept.close();
  }
}
