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

/**
 * Collects the first rows in an order. Each round returns its first rows, in order; the bound that
 * rows of earlier rounds set stays.
 *
 * <p>Of a block, it reads the first column of the order, drops the rows that rank above the bound,
 * then reads the other columns of the remaining rows. When twice as many rows as wanted are kept,
 * it sorts them and drops the rest; so a row is sorted a few times at most.
 */
public final class TopRows implements Collector {
  private static final int SLACK_ROWS = 1024;

  /** Memory of a row besides its cells: its rank, and its place while the rows are sorted. */
  private static final int SORTED_ROW_BYTES = 32;

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
  private int sorted; // rows of the batch that are in order; the rest comes after them

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

  private static byte[] cell(ColumnVector cells, int row) {
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
      sort();
    }
  }

  /** Sorts the kept rows and drops those that are not wanted. */
  private void sort() {
    int rows = kept.rowCount();
    if (sorted == rows) {
      return;
    }
    Integer[] order = new Integer[rows];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, this::compareKept);
    int wanted = Math.min(rows, top.count());
    ColumnBatch result = new ColumnBatch(allocator, projection);
    long[] resultRanks = new long[Math.max(SLACK_ROWS, wanted)];
    try {
      for (int i = 0; i < wanted; i++) {
        copy(order[i], result);
        result.setRowCount(i + 1);
        resultRanks[i] = ranks[order[i]];
      }
    } catch (RuntimeException | Error e) {
      result.close();
      throw e;
    }
    kept.close();
    kept = result;
    ranks = resultRanks;
    sorted = wanted;
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
    return kept.bytes() + (long) SORTED_ROW_BYTES * kept.rowCount();
  }

  @Override
  public long heapBytes() {
    return (long) SORTED_ROW_BYTES * kept.rowCount();
  }

  @Override
  public void compact() {
    sort();
  }

  @Override
  public void finish() {
    sort();
  }

  @Override
  public int resultCount() {
    return kept.rowCount();
  }

  @Override
  public boolean append(int result, ColumnBatch out) {
    copy(result, out);
    return true;
  }

  @Override
  public void restart() {
    kept.clear();
    sorted = 0;
  }

  @Override
  public void close() {
    kept.close();
  }
}
