package dev.kudu4j.tablet.cfile;

import dev.kudu4j.tablet.batch.ColumnVector;

/**
 * A test of single cells, which a page may decide on what it has encoded: on the entries of a
 * dictionary, on one cell a run, on a range of packed numbers.
 */
public interface CellFilter {
  /** Clears the bits of cells that do not match; none of the cells is NULL. */
  void evaluate(ColumnVector cells, int rowCount, long[] wanted);

  /** Whether the test is first ≤ cell ≤ last, of integers of at most 8 bytes. */
  default boolean isIntegerRange() {
    return false;
  }

  /** The smallest integer that matches, widened by the column's type. */
  default long firstInteger() {
    throw new IllegalStateException("Not a range of integers");
  }

  /** The largest that matches. */
  default long lastInteger() {
    throw new IllegalStateException("Not a range of integers");
  }

  /** Whether the test is low ≤ cell ≤ high, of floats or doubles as IEEE 754 has it. */
  default boolean isFloatingRange() {
    return false;
  }

  default double lowDouble() {
    throw new IllegalStateException("Not a range of floats");
  }

  default double highDouble() {
    throw new IllegalStateException("Not a range of floats");
  }

  /**
   * The one cell that matches, in cell form; null when the test is no equality. Always the same
   * array.
   */
  default byte[] onlyCell() {
    return null;
  }
}
