package dev.kudu4j.tablet.scan.index;

/**
 * Estimates the time of the ways to read the matching rows of a MemRowSet, in nanoseconds on one
 * core. A row is found by its address, and its cells are beside each other, so a row that is looked
 * up costs far less than one of a file.
 */
final class MemCost {
  private static final double SCANNED_ROW = 30;
  private static final double FOUND_ROW = 300;
  private static final double FOUND_CELL = 15;
  private static final double MARGIN = 2;

  private MemCost() {}

  /** Filtering all rows. */
  static double scan(int rows) {
    return rows * SCANNED_ROW;
  }

  /** Reading rows that were found. */
  static double found(long count, int columns) {
    return count * (FOUND_ROW + columns * FOUND_CELL);
  }

  /** The number of rows above which the scan is preferred. */
  static int maxRows(int rows, int columns) {
    return (int) (scan(rows) / MARGIN / found(1, columns));
  }
}
