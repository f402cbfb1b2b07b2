package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.PageFilter;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** IS NULL or IS NOT NULL. */
final class NullLeaf implements PredicateNode, PageFilter {
  private final int column;
  private final boolean wantNull;
  private final long[] present;

  NullLeaf(int column, boolean wantNull, int maxRows) {
    this.column = column;
    this.wantNull = wantNull;
    this.present = new long[SelectionBitmap.wordCount(maxRows)];
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
    System.arraycopy(rows.words(), first, present, 0, words);
    ColumnLeaf.keepPresent(cells, cells.rowCount(), present);
    if (wantNull) {
      for (int i = 0; i < words; i++) {
        present[i] ^= rows.words()[first + i];
      }
    }
    rows.retain(present, first, words);
  }

  @Override
  public String toString() {
    return "#" + column + (wantNull ? " IS NULL" : " IS NOT NULL");
  }
}
