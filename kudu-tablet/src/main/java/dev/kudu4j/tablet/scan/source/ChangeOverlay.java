package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.scan.predicate.Selection;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What changes make of the rows of one block at the scan's snapshot: for each wanted column the
 * newest visible value of the rows that have one, and which rows are deleted.
 *
 * <p>The stores are shown newest first; what is found once is not looked for again. Chains in
 * memory run newest first too ({@link #addChain}). Files run oldest first, so of one row the later
 * change overrides the earlier one of the same file only ({@link #addFromFile}, {@link #endFile}).
 *
 * <pre>
 *   newest visible change    UPDATE or REINSERT: the row lives        DELETE: it does not
 *   going back               values up to and including a REINSERT, which has all cells of its life;
 *                            a DELETE ends the search, except in a diff scan, which shows the last cells
 * </pre>
 *
 * <p>A diff scan also wants to know which rows changed since its start, and which were deleted
 * then. A block without changes costs {@link #begin}, which looks at one flag.
 */
final class ChangeOverlay implements AutoCloseable {
  private static final int NULL_LENGTH = -1;

  private final WantedColumns columns;
  private final int maxRows;
  private final long snapshot;
  private final long diffStart;
  private final CellCopies copies;

  private boolean anything;
  private final long[] known; // liveness at the snapshot is known
  private final long[] dead; // deleted at the snapshot
  private final long[] ended; // older values do not count
  private final long[] changed; // diff: changed since the start
  private final long[] startKnown; // diff: liveness at the start is known
  private final long[] deadAtStart; // diff: deleted at the start

  /** By column, null until the column is changed for the first time. */
  private final long[][] found;

  private final long[][] addresses;
  private final int[][] lengths;
  private final boolean[] touched;

  // The row of a file that is being put together.
  private int fileRow = -1;
  private final boolean[] inFileRow;
  private final int[] fileRowColumns;
  private int fileRowColumnCount;
  private byte fileRowKind;
  private byte fileRowKindAtStart;
  private boolean fileRowReinserted;

  ChangeOverlay(ScanPlan plan, BufferAllocator allocator) {
    this.columns = plan.columns();
    this.maxRows = plan.blockRows();
    this.snapshot = plan.snapshot();
    this.diffStart = plan.diffStart();
    this.copies = new CellCopies(allocator);
    int words = Selection.wordCount(maxRows);
    this.known = new long[words];
    this.dead = new long[words];
    this.ended = new long[words];
    this.changed = new long[words];
    this.startKnown = new long[words];
    this.deadAtStart = new long[words];
    int count = columns.count();
    this.found = new long[count][];
    this.addresses = new long[count][];
    this.lengths = new int[count][];
    this.touched = new boolean[count];
    this.inFileRow = new boolean[count];
    this.fileRowColumns = new int[count];
  }

  /** Forgets everything: a new block. */
  void begin() {
    if (!anything) {
      return;
    }
    anything = false;
    Arrays.fill(known, 0L);
    Arrays.fill(dead, 0L);
    Arrays.fill(ended, 0L);
    if (diffStart >= 0) {
      Arrays.fill(changed, 0L);
      Arrays.fill(startKnown, 0L);
      Arrays.fill(deadAtStart, 0L);
    }
    for (int column = 0; column < touched.length; column++) {
      if (touched[column]) {
        touched[column] = false;
        Arrays.fill(found[column], 0L);
      }
    }
    copies.clear();
  }

  boolean isEmpty() {
    return !anything;
  }

  /** Rows that are deleted at the snapshot. */
  long[] dead() {
    return dead;
  }

  long[] changed() {
    return changed;
  }

  long[] deadAtStart() {
    return deadAtStart;
  }

  boolean isDead(int row) {
    return isSet(dead, row);
  }

  /** Whether any row of the block has a changed cell in the column. */
  boolean touches(int column) {
    return touched[column];
  }

  /** Rows with a changed cell in the column; only when it is {@link #touches touched}. */
  long[] found(int column) {
    return found[column];
  }

  boolean isFound(int column, int row) {
    return touched[column] && isSet(found[column], row);
  }

  boolean isNull(int column, int row) {
    return lengths[column][row] == NULL_LENGTH;
  }

  long address(int column, int row) {
    return addresses[column][row];
  }

  int length(int column, int row) {
    return lengths[column][row];
  }

  /** Writes the changed cells of the rows {@code [from, to)} into a vector that starts there. */
  void applyTo(int column, int from, int to, ColumnVector cells, int firstCell) {
    long[] bits = found[column];
    for (int word = from >>> 6; word < Selection.wordCount(to); word++) {
      for (long left = bits[word]; left != 0; left &= left - 1) {
        int row = (word << 6) + Long.numberOfTrailingZeros(left);
        if (row < from || row >= to) {
          continue;
        }
        int cell = firstCell + row - from;
        if (isNull(column, row)) {
          cells.setNull(cell);
        } else {
          cells.set(cell, addresses[column][row], lengths[column][row]);
        }
      }
    }
    cells.settle();
  }

  /** Adds a row's changes of a store in memory; the chain's memory outlives the block. */
  void addChain(int row, long newest) {
    int missing = -1;
    for (long mutation = newest; mutation != 0; mutation = Mutation.next(mutation)) {
      long timestamp = Mutation.timestamp(mutation);
      if (timestamp >= snapshot) {
        continue;
      }
      long change = Mutation.changeAddress(mutation);
      byte kind = Memory.getByte(change);
      noteLiveness(row, timestamp, kind);
      if (!isSet(ended, row)) {
        missing = missing < 0 ? missingColumns(row) : missing;
        missing -= takeCells(row, change);
        endAt(row, kind);
      }
      boolean startWanted = diffStart >= 0 && !isSet(startKnown, row);
      if (!startWanted && (isSet(ended, row) || missing == 0)) {
        return;
      }
    }
  }

  private void noteLiveness(int row, long timestamp, byte kind) {
    anything = true;
    if (!isSet(known, row)) {
      set(known, row);
      if (kind == RowChange.DELETE) {
        set(dead, row);
      }
    }
    if (diffStart < 0) {
      return;
    }
    if (timestamp >= diffStart) {
      set(changed, row);
    } else if (!isSet(startKnown, row)) {
      set(startKnown, row);
      if (kind == RowChange.DELETE) {
        set(deadAtStart, row);
      }
    }
  }

  private void endAt(int row, byte kind) {
    if (kind == RowChange.REINSERT) {
      takeDefaults(row);
      set(ended, row);
    } else if (kind == RowChange.DELETE && diffStart < 0) {
      set(ended, row);
    }
  }

  /** Changeable columns whose value for the row has not been found. */
  private int missingColumns(int row) {
    int missing = columns.nonKeyCount();
    for (int column = 0; column < touched.length; column++) {
      missing -= isFound(column, row) ? 1 : 0;
    }
    return missing;
  }

  /** Takes the cells of a change that are wanted and not found yet; returns how many. */
  private int takeCells(int row, long change) {
    int taken = 0;
    int cellCount = Memory.getShort(change + 1) & 0xffff;
    long at = change + RowChange.HEADER_BYTES;
    for (int i = 0; i < cellCount; i++) {
      int length = Memory.getInt(at + 4);
      int column = columns.numberOfId(Memory.getInt(at));
      at += RowChange.CELL_HEADER_BYTES;
      if (column >= 0 && !isFound(column, row)) {
        put(column, row, at, length);
        set(found[column], row);
        taken++;
      }
      at += Math.max(length, 0);
    }
    return taken;
  }

  /** After a REINSERT: columns that it did not have yet show their read default. */
  private void takeDefaults(int row) {
    for (int column = 0; column < touched.length; column++) {
      if (!columns.column(column).isKey() && !isFound(column, row)) {
        putDefault(column, row);
        set(found[column], row);
      }
    }
  }

  private void putDefault(int column, int row) {
    byte[] cell = columns.column(column).readDefault();
    if (cell == null) {
      put(column, row, 0, NULL_LENGTH);
    } else {
      put(column, row, copies.copy(cell), cell.length);
    }
  }

  private void put(int column, int row, long address, int length) {
    if (found[column] == null) {
      found[column] = new long[Selection.wordCount(maxRows)];
      addresses[column] = new long[maxRows];
      lengths[column] = new int[maxRows];
    }
    if (length == NULL_LENGTH && !columns.column(column).isNullable()) {
      throw KuduException.corruption(
          "A change sets column %s, which is not nullable, to NULL", columns.column(column));
    }
    touched[column] = true;
    addresses[column][row] = address;
    lengths[column][row] = length;
  }

  /** Adds one change of a file; a file's changes come in ascending (row, timestamp, sequence). */
  void addFromFile(int row, long timestamp, long change) {
    if (timestamp >= snapshot) {
      return;
    }
    if (row != fileRow) {
      endFileRow();
      fileRow = row;
    }
    anything = true;
    byte kind = Memory.getByte(change);
    fileRowKind = kind;
    if (diffStart >= 0 && timestamp >= diffStart) {
      set(changed, row);
    } else {
      fileRowKindAtStart = kind;
    }
    if (isSet(ended, row)) {
      return;
    }
    if (kind == RowChange.REINSERT) {
      forgetFileRowCells();
      overrideCells(row, change);
      overrideWithDefaults(row);
      fileRowReinserted = true;
    } else {
      overrideCells(row, change);
    }
  }

  /** The file has no more changes for this block. */
  void endFile() {
    endFileRow();
    fileRow = -1;
  }

  private void endFileRow() {
    if (fileRow < 0) {
      return;
    }
    int row = fileRow;
    for (int i = 0; i < fileRowColumnCount; i++) {
      set(found[fileRowColumns[i]], row);
    }
    forgetFileRowCells();
    if (!isSet(known, row)) {
      set(known, row);
      if (fileRowKind == RowChange.DELETE) {
        set(dead, row);
      }
    }
    if (diffStart >= 0 && fileRowKindAtStart != 0 && !isSet(startKnown, row)) {
      set(startKnown, row);
      if (fileRowKindAtStart == RowChange.DELETE) {
        set(deadAtStart, row);
      }
    }
    if (fileRowReinserted || (fileRowKind == RowChange.DELETE && diffStart < 0)) {
      set(ended, row);
    }
    fileRowKindAtStart = 0;
    fileRowReinserted = false;
  }

  private void overrideCells(int row, long change) {
    int cellCount = Memory.getShort(change + 1) & 0xffff;
    long at = change + RowChange.HEADER_BYTES;
    for (int i = 0; i < cellCount; i++) {
      int length = Memory.getInt(at + 4);
      int column = columns.numberOfId(Memory.getInt(at));
      at += RowChange.CELL_HEADER_BYTES;
      if (column >= 0 && !isFound(column, row)) {
        override(column, row, at, length);
      }
      at += Math.max(length, 0);
    }
  }

  /**
   * The file's memory moves on, so the cell is copied: over the one that it replaces, if it fits.
   */
  private void override(int column, int row, long address, int length) {
    if (inFileRow[column] && length >= 0 && length <= lengths[column][row]) {
      Memory.copy(address, addresses[column][row], length);
      lengths[column][row] = length;
    } else {
      put(column, row, length < 0 ? 0 : copies.copy(address, length), length);
    }
    markInFileRow(column);
  }

  private void forgetFileRowCells() {
    for (int i = 0; i < fileRowColumnCount; i++) {
      inFileRow[fileRowColumns[i]] = false;
    }
    fileRowColumnCount = 0;
  }

  private void overrideWithDefaults(int row) {
    for (int column = 0; column < touched.length; column++) {
      boolean open = !inFileRow[column] && !isFound(column, row);
      if (open && !columns.column(column).isKey()) {
        putDefault(column, row);
        markInFileRow(column);
      }
    }
  }

  private void markInFileRow(int column) {
    if (!inFileRow[column]) {
      inFileRow[column] = true;
      fileRowColumns[fileRowColumnCount++] = column;
    }
  }

  private static boolean isSet(long[] bits, int row) {
    return (bits[row >>> 6] & 1L << row) != 0;
  }

  private static void set(long[] bits, int row) {
    bits[row >>> 6] |= 1L << row;
  }

  @Override
  public void close() {
    copies.close();
  }
}
