package dev.kudu4j.tablet.scan.aggregate;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Assigns each row of a chunk a <em>cell</em>, numbered from 0, and maps each cell to its group.
 *
 * <p>If the dictionary codes have few combinations, a cell is a combination of codes, and no row
 * needs a look-up. Otherwise a cell is a group. Rows that are computed but not selected get the
 * extra cell {@link #cellCount}.
 */
final class Groups {
  /** The maximum number of code combinations that are used as cells. */
  static final int MAX_COMBINATIONS = 1024;

  private final List<GroupColumn> columns;
  private final PairTable[] tables; // table i maps the values of columns 0..i+1 to one number
  private final int[][] codes;
  private final long[] meanings;
  private final int[] cells = new int[RowChunk.MAX_ROWS];
  private int cellCount;
  private boolean combined;
  private int[] groupOfCell = new int[1];

  Groups(List<GroupColumn> columns) {
    this.columns = columns;
    this.tables = new PairTable[Math.max(0, columns.size() - 1)];
    Arrays.setAll(tables, i -> new PairTable());
    this.codes = new int[columns.size()][];
    this.meanings = new long[columns.size()];
  }

  /** The cells of the chunk's rows. */
  int[] assign(RowChunk step) throws IOException {
    long combinations = 1;
    boolean changed = false;
    for (int i = 0; i < codes.length; i++) {
      codes[i] = columns.get(i).codes(step);
      combinations = Math.min(combinations * columns.get(i).codeCount(), Integer.MAX_VALUE);
      changed |= meanings[i] != columns.get(i).meaning();
      meanings[i] = columns.get(i).meaning();
    }
    boolean combine = combinations <= MAX_COMBINATIONS;
    changed |= combine != combined || (combine && combinations != cellCount);
    combined = combine;
    if (combine) {
      cellCount = (int) combinations;
      combineCodes(step.count());
    } else {
      findGroups(step);
      cellCount = groupCount();
    }
    if (changed && combine) {
      groupOfCell = new int[cellCount];
      Arrays.fill(groupOfCell, -1);
    }
    if (!step.isPicked()) {
      markDropped(step);
    }
    return cells;
  }

  private void combineCodes(int count) {
    if (codes.length == 0) {
      Arrays.fill(cells, 0, count, 0);
      return;
    }
    System.arraycopy(codes[0], 0, cells, 0, count);
    for (int i = 1; i < codes.length; i++) {
      appendCode(cells, columns.get(i).codeCount(), codes[i], count);
    }
  }

  private static void appendCode(int[] cells, int codeCount, int[] codes, int count) {
    for (int i = 0; i < count; i++) {
      cells[i] = cells[i] * codeCount + codes[i];
    }
  }

  private void findGroups(RowChunk step) {
    for (int i = 0; i < step.count(); i++) {
      boolean kept = step.isPicked() || step.rows().selection().isSelected(step.row(i));
      cells[i] = kept ? groupOfRow(i) : 0;
    }
  }

  private int groupOfRow(int row) {
    int number = columns.get(0).numberOf(codes[0][row]);
    for (int i = 1; i < codes.length; i++) {
      number = tables[i - 1].number(number, columns.get(i).numberOf(codes[i][row]));
    }
    return number;
  }

  /**
   * Assigns the cell {@link #cellCount}, whose sums are never read, to rows that are not selected.
   */
  private void markDropped(RowChunk step) {
    long[] kept = step.rows().selection().words();
    int from = step.from();
    for (int i = 0; i < step.count(); ) {
      int row = from + i;
      int take = Math.min(64 - (row & 63), step.count() - i);
      long dropped = ~(kept[row >>> 6] >>> row) & (-1L >>> (64 - take));
      for (; dropped != 0; dropped &= dropped - 1) {
        cells[i + Long.numberOfTrailingZeros(dropped)] = cellCount;
      }
      i += take;
    }
  }

  /** The exclusive upper bound of this chunk's cells. */
  int cellCount() {
    return cellCount;
  }

  int groupOf(int cell) {
    if (!combined) {
      return cell;
    }
    if (groupOfCell[cell] < 0) {
      groupOfCell[cell] = groupOfCombination(cell);
    }
    return groupOfCell[cell];
  }

  private int groupOfCombination(int cell) {
    if (codes.length == 0) {
      return 0;
    }
    int[] split = new int[codes.length];
    int rest = cell;
    for (int i = codes.length - 1; i >= 0; i--) {
      int codeCount = columns.get(i).codeCount();
      split[i] = columns.get(i).numberOf(rest % codeCount);
      rest /= codeCount;
    }
    int number = split[0];
    for (int i = 1; i < split.length; i++) {
      number = tables[i - 1].number(number, split[i]);
    }
    return number;
  }

  /**
   * The exclusive upper bound of group numbers; with a single grouping column some groups may be
   * empty.
   */
  int groupCount() {
    return switch (codes.length) {
      case 0 -> 1;
      case 1 -> columns.get(0).valueCount();
      default -> tables[tables.length - 1].count();
    };
  }

  /** The values of the grouping columns in the group; null for NULL. */
  byte[][] values(int group) {
    byte[][] values = new byte[codes.length][];
    int number = group;
    for (int i = codes.length - 1; i > 0; i--) {
      values[i] = columns.get(i).value(tables[i - 1].right(number));
      number = tables[i - 1].left(number);
    }
    if (values.length > 0) {
      values[0] = columns.get(0).value(number);
    }
    return values;
  }
}
