package dev.kudu4j.tablet.cfile;

import dev.kudu4j.tablet.batch.ColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * A filter on single cells. A decoder can evaluate it on the encoded form of a page: once per
 * dictionary entry, once per run, or as a range of packed numbers.
 */
public interface CellFilter {
  /** Clears the bits in {@code wanted} of cells that do not match. No cell is NULL. */
  void evaluate(ColumnVector cells, int rowCount, long[] wanted);

  /** Whether the filter is low ≤ cell ≤ high on integers of at most 8 bytes. */
  default boolean isIntegerRange() {
    return false;
  }

  /** The smallest integer that matches, widened to a long according to the column's type. */
  default long lowInteger() {
    throw new IllegalStateException("The filter is not an integer range");
  }

  /** The largest integer that matches, widened to a long according to the column's type. */
  default long highInteger() {
    throw new IllegalStateException("The filter is not an integer range");
  }

  /** Whether the filter is low ≤ cell ≤ high on floats or doubles, in IEEE 754 order. */
  default boolean isFloatingRange() {
    return false;
  }

  default double lowDouble() {
    throw new IllegalStateException("The filter is not a floating-point range");
  }

  default double highDouble() {
    throw new IllegalStateException("The filter is not a floating-point range");
  }

  /**
   * The only cell that matches, in cell form; null if the filter is not an equality. Always returns
   * the same array.
   */
  default byte @Nullable [] onlyCell() {
    return null;
  }
}
