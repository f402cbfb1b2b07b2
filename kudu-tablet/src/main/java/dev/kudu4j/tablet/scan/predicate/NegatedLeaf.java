package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import org.jspecify.annotations.Nullable;

/** Matches the cells that another filter does not match. NULLs match neither of the two. */
final class NegatedLeaf extends ColumnLeaf {
  private final ColumnLeaf filter;
  private long[] matching = new long[0];

  NegatedLeaf(ColumnLeaf filter, int maxRows) {
    super(filter.column(), maxRows);
    this.filter = filter;
  }

  /** The filter whose matches this one drops. */
  ColumnLeaf filter() {
    return filter;
  }

  @Override
  public Verdict judge(
      int rowCount, int nullCount, byte @Nullable [] minimum, byte @Nullable [] maximum) {
    if (nullCount == rowCount) {
      return Verdict.NONE;
    }
    return switch (filter.judge(rowCount, nullCount, minimum, maximum)) {
      case ALL -> Verdict.NONE;
      case NONE -> nullCount == 0 ? Verdict.ALL : Verdict.SOME;
      case SOME -> Verdict.SOME;
    };
  }

  @Override
  public void evaluate(ColumnVector cells, int rowCount, long[] wanted) {
    int words = SelectionBitmap.wordCount(rowCount);
    if (matching.length < words) {
      matching = new long[words];
    }
    System.arraycopy(wanted, 0, matching, 0, words);
    filter.evaluate(cells, rowCount, matching);
    for (int i = 0; i < words; i++) {
      wanted[i] &= ~matching[i];
    }
  }

  @Override
  public String toString() {
    return "NOT " + filter;
  }
}
