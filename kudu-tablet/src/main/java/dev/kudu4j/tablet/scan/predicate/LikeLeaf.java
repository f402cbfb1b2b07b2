package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.expression.LikePattern;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import org.jspecify.annotations.Nullable;

/** A filter for text that matches a pattern of SQL's LIKE. */
final class LikeLeaf extends ColumnLeaf {
  private final LikePattern pattern;
  private byte[] text = new byte[64];

  LikeLeaf(int column, int maxRows, LikePattern pattern) {
    super(column, maxRows);
    this.pattern = pattern;
  }

  @Override
  public Verdict judge(
      int rowCount, int nullCount, byte @Nullable [] minimum, byte @Nullable [] maximum) {
    return nullCount == rowCount ? Verdict.NONE : Verdict.SOME;
  }

  @Override
  public void evaluate(ColumnVector cells, int rowCount, long[] wanted) {
    for (int word = 0; word < SelectionBitmap.wordCount(rowCount); word++) {
      for (long bits = wanted[word]; bits != 0; bits &= bits - 1) {
        int row = (word << 6) + Long.numberOfTrailingZeros(bits);
        if (!matches(cells.cellAddress(row), cells.cellLength(row))) {
          wanted[word] &= ~(1L << row);
        }
      }
    }
  }

  private boolean matches(long address, int length) {
    if (text.length < length) {
      text = new byte[2 * length];
    }
    Memory.copy(address, text, 0, length);
    return pattern.matches(text, 0, length);
  }

  @Override
  public String toString() {
    return "#" + column() + " LIKE " + pattern;
  }
}
