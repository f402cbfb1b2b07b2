package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** IS NULL or IS NOT NULL. */
final class NullLeaf implements PredicateNode, ColumnTest {
  private final int column;
  private final boolean wantNull;
  private final long[] tested;
  private final long[] present;

  NullLeaf(int column, boolean wantNull, int maxRows) {
    this.column = column;
    this.wantNull = wantNull;
    this.tested = new long[SelectionBitmap.wordCount(maxRows)];
    this.present = new long[SelectionBitmap.wordCount(maxRows)];
  }

  @Override
  public int column() {
    return column;
  }

  @Override
  public ColumnTest asColumnTest() {
    return this;
  }

  boolean wantsNull() {
    return wantNull;
  }

  @Override
  public Verdict judge(
      int rowCount, int nullCount, byte @Nullable [] minimum, byte @Nullable [] maximum) {
    int matching = wantNull ? nullCount : rowCount - nullCount;
    return matching == 0 ? Verdict.NONE : matching == rowCount ? Verdict.ALL : Verdict.SOME;
  }

  @Override
  public void filter(RowBlock block, SelectionBitmap rows) throws IOException {
    if (block.prune(column, this, rows) || rows.isEmpty()) {
      return;
    }
    ColumnVector cells = block.cells(column);
    int first = block.firstRow(column) >>> 6;
    int words = SelectionBitmap.wordCount(cells.rowCount());
    System.arraycopy(rows.words(), first, tested, 0, words);
    filterCells(cells, cells.rowCount(), tested);
    rows.retain(tested, first, words);
  }

  @Override
  public void filterCells(ColumnVector cells, int rowCount, long[] wanted) {
    if (!wantNull) {
      ColumnLeaf.keepPresent(cells, rowCount, wanted);
      return;
    }
    int words = SelectionBitmap.wordCount(rowCount);
    System.arraycopy(wanted, 0, present, 0, words);
    ColumnLeaf.keepPresent(cells, rowCount, present);
    for (int i = 0; i < words; i++) {
      wanted[i] ^= present[i];
    }
  }

  @Override
  public String toString() {
    return "#" + column + (wantNull ? " IS NULL" : " IS NOT NULL");
  }
}
