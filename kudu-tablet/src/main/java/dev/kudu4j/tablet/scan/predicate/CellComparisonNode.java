package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.expression.Condition.Comparison;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.block.RowBlock;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.io.IOException;

/**
 * Compares the cells of two columns that are not {@linkplain
 * dev.kudu4j.common.schema.DataType#isNumber numbers}: text, bytes, booleans or wide integers.
 * Matches no row in which one of them is NULL.
 */
final class CellComparisonNode implements PredicateNode {
  private static final int WIDEST = 16;

  private final Comparison comparison;
  private final int left;
  private final int right;
  private final boolean negated;
  private final byte[] leftCell = new byte[WIDEST];
  private final byte[] rightCell = new byte[WIDEST];

  /**
   * @param left number of a column
   * @param negated whether to match the rows for which the comparison is false
   */
  CellComparisonNode(Comparison comparison, int left, int right, boolean negated) {
    this.comparison = comparison;
    this.left = left;
    this.right = right;
    this.negated = negated;
  }

  @Override
  public void filter(RowBlock block, SelectionBitmap rows) throws IOException {
    ColumnVector a = block.cells(left);
    ColumnVector b = block.cells(right);
    int firstLeft = block.firstRow(left);
    int firstRight = block.firstRow(right);
    for (int row = rows.next(0); row >= 0; row = rows.next(row + 1)) {
      if (!matches(a, row - firstLeft, b, row - firstRight)) {
        rows.clear(row);
      }
    }
  }

  private boolean matches(ColumnVector a, int leftRow, ColumnVector b, int rightRow) {
    return !a.isNull(leftRow)
        && !b.isNull(rightRow)
        && comparison.holds(order(a, leftRow, b, rightRow)) != negated;
  }

  private int order(ColumnVector a, int leftRow, ColumnVector b, int rightRow) {
    if (a.type().isVariableLength()) {
      return Memory.compare(
          a.cellAddress(leftRow),
          a.cellLength(leftRow),
          b.cellAddress(rightRow),
          b.cellLength(rightRow));
    }
    int width = a.type().width();
    Memory.copy(a.cellAddress(leftRow), leftCell, 0, width);
    Memory.copy(b.cellAddress(rightRow), rightCell, 0, width);
    return CellOrder.compare(a.type(), leftCell, 0, width, rightCell, 0, width);
  }

  @Override
  public String toString() {
    return (negated ? "NOT " : "") + "#" + left + " " + comparison.symbol() + " #" + right;
  }
}
