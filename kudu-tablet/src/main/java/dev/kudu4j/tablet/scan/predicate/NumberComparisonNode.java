package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.expression.Condition.Comparison;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.batch.NumberVector.Kind;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import dev.kudu4j.tablet.scan.expression.NumberNode;
import dev.kudu4j.tablet.scan.expression.RowChunk;
import java.io.IOException;

/**
 * Compares the numbers of two expressions, a chunk of rows at a time. Matches no row in which one
 * of them is NULL.
 */
final class NumberComparisonNode implements PredicateNode {
  private final RowChunk chunk;
  private final Comparison comparison;
  private final NumberNode left;
  private final NumberNode right;
  private final boolean negated;
  private final long[] matching = new long[SelectionBitmap.wordCount(RowChunk.MAX_ROWS)];

  /**
   * @param chunk shared with all nodes that evaluate the same expressions
   * @param left floating if {@code right} is, else of its scale
   * @param negated whether to match the rows for which the comparison is false
   */
  NumberComparisonNode(
      RowChunk chunk, Comparison comparison, NumberNode left, NumberNode right, boolean negated) {
    assert left.isFloating() == right.isFloating() && left.scale() == right.scale();
    this.chunk = chunk;
    this.comparison = comparison;
    this.left = left;
    this.right = right;
    this.negated = negated;
  }

  @Override
  public void filter(RowBlock block, SelectionBitmap rows) throws IOException {
    int count = rows.rowCount();
    for (int from = 0; from < count; from += RowChunk.MAX_ROWS) {
      if (chunk.moveTo(block, rows, from, Math.min(RowChunk.MAX_ROWS, count - from))) {
        compareChunk();
        drop(rows);
      }
    }
  }

  private void compareChunk() throws IOException {
    NumberVector a = left.evaluate(chunk);
    NumberVector b = right.evaluate(chunk);
    boolean inverted = negated;
    switch (comparison) {
      case EQUAL -> equal(a, b);
      case NOT_EQUAL -> {
        equal(a, b);
        inverted = !negated;
      }
      case LESS -> less(a, b);
      case LESS_EQUAL -> lessOrEqual(a, b);
      case GREATER -> less(b, a);
      case GREATER_EQUAL -> lessOrEqual(b, a);
    }
    int words = SelectionBitmap.wordCount(chunk.count());
    for (int i = 0; i < words; i++) {
      long nulls = (a.hasNulls() ? a.nulls()[i] : 0) | (b.hasNulls() ? b.nulls()[i] : 0);
      matching[i] = (inverted ? ~matching[i] : matching[i]) & ~nulls;
    }
  }

  private void equal(NumberVector a, NumberVector b) {
    switch (commonKind(a, b)) {
      case INTS -> NumberComparisons.equal(a.ints(), b.ints(), chunk.count(), matching);
      case LONGS -> NumberComparisons.equal(a.longs(), b.longs(), chunk.count(), matching);
      case DOUBLES -> NumberComparisons.equal(a.doubles(), b.doubles(), chunk.count(), matching);
    }
  }

  private void less(NumberVector a, NumberVector b) {
    switch (commonKind(a, b)) {
      case INTS -> NumberComparisons.less(a.ints(), b.ints(), chunk.count(), matching);
      case LONGS -> NumberComparisons.less(a.longs(), b.longs(), chunk.count(), matching);
      case DOUBLES -> NumberComparisons.less(a.doubles(), b.doubles(), chunk.count(), matching);
    }
  }

  private void lessOrEqual(NumberVector a, NumberVector b) {
    switch (commonKind(a, b)) {
      case INTS -> NumberComparisons.lessOrEqual(a.ints(), b.ints(), chunk.count(), matching);
      case LONGS -> NumberComparisons.lessOrEqual(a.longs(), b.longs(), chunk.count(), matching);
      case DOUBLES ->
          NumberComparisons.lessOrEqual(a.doubles(), b.doubles(), chunk.count(), matching);
    }
  }

  private static Kind commonKind(NumberVector a, NumberVector b) {
    if (a.kind() != b.kind()) {
      a.widen();
      b.widen();
    }
    return a.kind();
  }

  private void drop(SelectionBitmap rows) {
    if (!chunk.isPicked()) {
      rows.retain(matching, chunk.from() >>> 6, SelectionBitmap.wordCount(chunk.count()));
      return;
    }
    for (int i = 0; i < chunk.count(); i++) {
      if ((matching[i >>> 6] & 1L << i) == 0) {
        rows.clear(chunk.row(i));
      }
    }
  }

  @Override
  public String toString() {
    return (negated ? "NOT " : "") + "number " + comparison.symbol() + " number";
  }
}
