package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.CellFilter;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;

/** Filters the cells that changes have set, in addition to those of pages. */
final class ChangedCells {
  private ChangedCells() {}

  /**
   * Clears the bits of rows whose changed cells do not match, 64 cells at a time.
   *
   * @param cells scratch memory of the column's type
   * @param changed the rows; each has a changed cell in the column
   */
  static void filter(
      ChangeOverlay changes,
      int column,
      CellFilter cellFilter,
      ColumnVector cells,
      long[] changed,
      int rowCount) {
    long[] matching = new long[1];
    for (int word = 0; word < SelectionBitmap.wordCount(rowCount); word++) {
      long left = changed[word];
      if (left == 0) {
        continue;
      }
      long present = 0;
      cells.clear();
      for (; left != 0; left &= left - 1) {
        int row = (word << 6) + Long.numberOfTrailingZeros(left);
        if (!changes.isNull(column, row)) {
          cells.append(changes.address(column, row), changes.length(column, row));
          present |= 1L << row;
        }
      }
      int count = cells.rowCount();
      matching[0] = count == 0 ? 0 : -1L >>> (64 - count);
      cellFilter.evaluate(cells, count, matching);
      changed[word] = spread(matching[0], present);
    }
  }

  /** Keeps the i-th set bit of {@code places}, from 0, if bit i of {@code chosen} is set. */
  private static long spread(long chosen, long places) {
    long spread = 0;
    long rest = places;
    for (int rank = 0; rest != 0; rank++, rest &= rest - 1) {
      if ((chosen & 1L << rank) != 0) {
        spread |= Long.lowestOneBit(rest);
      }
    }
    return spread;
  }
}
