package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.io.IOException;

/**
 * A filter on one column's cells. NULLs never match; {@link NullLeaf} tests for NULL.
 *
 * <p>A set bit of the mask is a selected row; {@link #evaluate} clears the bits of the rows that do
 * not match. A filter of cheap, fixed-width cells tests all cells without branches. An expensive
 * filter tests only cells whose bit is set.
 */
abstract class ColumnLeaf implements PredicateNode, ColumnFilter {
  private final int column;
  private final long[] mask;

  ColumnLeaf(int column, int maxRows) {
    this.column = column;
    this.mask = new long[SelectionBitmap.wordCount(maxRows)];
  }

  @Override
  public final int column() {
    return column;
  }

  @Override
  public final ColumnFilter asColumnFilter() {
    return this;
  }

  /**
   * Clears the bits in {@code wanted} of rows whose cells do not match. The bits of NULLs are
   * already clear.
   */
  @Override
  public abstract void evaluate(ColumnVector cells, int rowCount, long[] wanted);

  @Override
  public final void filterCells(ColumnVector cells, int rowCount, long[] wanted) {
    keepPresent(cells, rowCount, wanted);
    evaluate(cells, rowCount, wanted);
  }

  @Override
  public void filter(RowBlock block, SelectionBitmap rows) throws IOException {
    if (block.prune(column, this, rows) || rows.isEmpty()) {
      return;
    }
    if (block.filter(column, this, rows) || rows.isEmpty()) {
      return;
    }
    ColumnVector cells = block.cells(column);
    int first = block.firstRow(column) >>> 6;
    int rowCount = cells.rowCount();
    int words = SelectionBitmap.wordCount(rowCount);
    System.arraycopy(rows.words(), first, mask, 0, words);
    filterCells(cells, rowCount, mask);
    rows.retain(mask, first, words);
  }

  /** Clears the bits in {@code mask} of rows whose cell is NULL. */
  static void keepPresent(ColumnVector cells, int rowCount, long[] mask) {
    if (!cells.isNullable()) {
      return;
    }
    long presence = cells.presenceAddress();
    int full = rowCount >>> 6;
    for (int i = 0; i < full; i++) {
      mask[i] &= Memory.getLong(presence + 8L * i);
    }
    if ((rowCount & 63) != 0) {
      mask[full] &= lastWord(presence, rowCount);
    }
  }

  /** The last, partial word of a bitmap; does not read beyond its last byte. */
  private static long lastWord(long presence, int rowCount) {
    long word = 0;
    int bytes = (rowCount + 7) >>> 3;
    for (int at = rowCount >>> 6 << 3, shift = 0; at < bytes; at++, shift += 8) {
      word |= (Memory.getByte(presence + at) & 0xffL) << shift;
    }
    return word;
  }
}
