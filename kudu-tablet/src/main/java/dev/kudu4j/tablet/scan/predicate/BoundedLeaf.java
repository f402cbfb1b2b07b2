package dev.kudu4j.tablet.scan.predicate;

import dev.kudu4j.common.schema.CellOrder;
import dev.kudu4j.common.schema.DataType;
import org.jspecify.annotations.Nullable;

/**
 * A filter with a lower bound (lower ≤ value) and an upper bound (value &lt; upper, or value ≤
 * last). It compares the bounds with page statistics.
 *
 * <p>Each bound may be null. The statistics of a page of floats or doubles do not show whether the
 * page contains a NaN, so such a page is never reported to match as a whole.
 */
abstract class BoundedLeaf extends ColumnLeaf {
  private final DataType type;
  private final byte @Nullable [] lower;
  private final byte @Nullable [] upper;
  private final byte @Nullable [] last;
  private final byte @Nullable [][] values;

  /**
   * @param upper exclusive, or null
   * @param last inclusive, or null
   * @param values the only cells that match, in the order of the type; null for all within the
   *     bounds
   */
  BoundedLeaf(
      int column,
      int maxRows,
      DataType type,
      byte @Nullable [] lower,
      byte @Nullable [] upper,
      byte @Nullable [] last,
      byte @Nullable [][] values) {
    super(column, maxRows);
    this.type = type;
    this.lower = lower;
    this.upper = upper;
    this.last = last;
    this.values = values;
  }

  /** Whether every value within the bounds matches. */
  abstract boolean matchesWholeRange();

  @Override
  public Verdict judge(
      int rowCount, int nullCount, byte @Nullable [] minimum, byte @Nullable [] maximum) {
    if (nullCount == rowCount) {
      return Verdict.NONE;
    }
    boolean floating = type == DataType.FLOAT || type == DataType.DOUBLE;
    if (minimum == null || maximum == null) {
      return Verdict.SOME;
    }
    if (floating && (CellOrder.isNaN(type, minimum, 0) || CellOrder.isNaN(type, maximum, 0))) {
      return Verdict.SOME;
    }
    if (isBelow(maximum) || isAbove(minimum) || !hasValueWithin(minimum, maximum)) {
      return Verdict.NONE;
    }
    boolean inside = !isBelow(minimum) && !isAbove(maximum);
    return inside && matchesWholeRange() && !floating && nullCount == 0
        ? Verdict.ALL
        : Verdict.SOME;
  }

  private boolean hasValueWithin(byte[] minimum, byte[] maximum) {
    if (values == null) {
      return true;
    }
    int from = 0;
    int to = values.length;
    while (from < to) { // find the first value at or above the minimum
      int middle = (from + to) >>> 1;
      if (CellOrder.compare(type, values[middle], minimum) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from < values.length && CellOrder.compare(type, values[from], maximum) <= 0;
  }

  private boolean isBelow(byte[] cell) {
    return lower != null && CellOrder.compare(type, cell, lower) < 0;
  }

  private boolean isAbove(byte[] cell) {
    return (upper != null && CellOrder.compare(type, cell, upper) >= 0)
        || (last != null && CellOrder.compare(type, cell, last) > 0);
  }
}
