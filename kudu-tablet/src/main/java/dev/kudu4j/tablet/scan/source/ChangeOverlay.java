package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.batch.CellOverrides;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.batch.NumberVector;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.memory.Scratch;
import dev.kudu4j.tablet.scan.block.SelectionBitmap;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The effect of changes on the rows of one block at the scan's snapshot T: for each scanned column
 * the cells that replace base data, and the set of deleted rows.
 *
 * <p>The first change added for a cell, or for a row's liveness, takes precedence. Changes are
 * therefore added in the order from T to the base data: first REDO ({@link #addRedo}), from the
 * newest below T to the oldest; then UNDO ({@link #addUndo}), from the oldest at or above T to the
 * newest. REDO comes first because every REDO change of a cell is newer than all UNDO changes of
 * the cell: if there is a REDO change below T, the newest one gives the cell's value at T.
 *
 * <pre>
 *   first applicable change     UPDATE or REINSERT: the row is live      DELETE: it is dead
 *   older changes               values up to and including a REINSERT, which sets all cells of the
 *                               row; a DELETE ends the search, except in a diff scan, which returns
 *                               the last cells of a deleted row
 * </pre>
 *
 * <p>A diff scan also tracks which rows changed since its start and which rows were deleted at its
 * start. For a block without changes, the only cost is that {@link #begin} checks one flag.
 */
final class ChangeOverlay implements AutoCloseable {
  private static final int NULL_LENGTH = RowChange.NULL_LENGTH;

  private final ScanColumns columns;

  /**
   * By column: the column's bit in {@link RowChange#columnMask}; 0 for a key column, which never
   * changes.
   */
  private final long[] changeable;

  private final long snapshot;
  private final long diffStart;
  private final Scratch copies;
  private final CellOverrides cells;

  private boolean anything;
  private long visited;
  private final long[] known; // liveness at the snapshot is known
  private final long[] dead; // deleted at the snapshot
  private final long[] ended; // changes that are added later are ignored
  private final long[] changed; // diff: changed since diffStart
  private final long[] startKnown; // diff: liveness at diffStart is known
  private final long[] deadAtStart; // diff: deleted at diffStart

  /**
   * For UNDO changes in a diff scan: the row whose last cells before a deletion are in {@link
   * #lastCells}. They are needed if the row turns out to be deleted at the snapshot.
   */
  private int lastCellsRow = -1;

  private long lastCells;

  ChangeOverlay(CompiledScan plan, BufferAllocator allocator) {
    this.columns = plan.columns();
    this.snapshot = plan.snapshot();
    this.diffStart = plan.diffStart();
    this.copies = new Scratch(allocator);
    int words = SelectionBitmap.wordCount(plan.blockRows());
    this.known = new long[words];
    this.dead = new long[words];
    this.ended = new long[words];
    this.changed = new long[words];
    this.startKnown = new long[words];
    this.deadAtStart = new long[words];
    int count = columns.count();
    this.changeable = new long[count];
    for (int column = 0; column < count; column++) {
      int id = columns.column(column).id();
      changeable[column] = columns.column(column).isKey() ? 0 : RowChange.columnBit(id);
    }
    this.cells = new CellOverrides(count, plan.blockRows());
  }

  /** Clears all state for a new block. */
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
    cells.clear();
    lastCellsRow = -1;
    copies.clear();
  }

  /** The number of changes visited in all blocks. */
  long visited() {
    return visited;
  }

  boolean isEmpty() {
    return !anything;
  }

  /** The rows that are deleted at the snapshot. */
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
    return cells.touches(column);
  }

  /** The rows with a changed cell in the column; requires {@link #touches}. */
  long[] overridden(int column) {
    return cells.overridden(column);
  }

  boolean isOverridden(int column, int row) {
    return cells.isOverridden(column, row);
  }

  boolean isNull(int column, int row) {
    return cells.isNull(column, row);
  }

  long address(int column, int row) {
    return cells.address(column, row);
  }

  int length(int column, int row) {
    return cells.length(column, row);
  }

  /**
   * Writes the changed cells of the rows {@code [from, to)} to a vector in which row {@code from}
   * is cell {@code firstCell}.
   */
  void applyTo(int column, int from, int to, ColumnVector vector, int firstCell) {
    cells.applyTo(column, from, to, vector, firstCell);
  }

  /** Writes changed cells to numbers that start at row {@code from}. */
  void applyTo(int column, int from, NumberVector numbers) {
    cells.applyTo(column, columns.column(column).type(), from, numbers);
  }

  /** Writes changed cells to the numbers of the rows {@code from + rows[i]}. */
  void applyTo(int column, int from, int[] rows, NumberVector numbers) {
    cells.applyTo(column, columns.column(column).type(), from, rows, numbers);
  }

  /** Adds a row's changes from an in-memory store; the chain's memory outlives the block. */
  void addChain(int row, long newest) {
    long mutation = Mutation.newestBelow(newest, snapshot);
    if (mutation == 0 || isDone(row)) {
      return;
    }
    while (true) {
      addRedo(row, mutation, false);
      if (Mutation.next(mutation) == 0) {
        return;
      }
      long missing = missingColumns(row);
      boolean startWanted = isStartWanted(row);
      if (missing == 0 && !startWanted) {
        return;
      }
      long jump = Mutation.jump(mutation);
      boolean jumps =
          (Mutation.columnsToJump(mutation) & missing) == 0
              && (!startWanted || Mutation.timestamp(jump) >= diffStart);
      mutation = jumps ? jump : Mutation.next(mutation);
    }
  }

  /**
   * Whether the cells and the liveness of the row are known, so older REDO changes have no effect.
   */
  boolean isDone(int row) {
    return isSet(known, row) && !isStartWanted(row) && missingColumns(row) == 0;
  }

  /**
   * The columns for which older REDO changes of the row may still matter, as {@link
   * RowChange#columnMask}: all while liveness is unknown, none if everything is known.
   */
  long wantedColumns(int row) {
    boolean livenessWanted = !isSet(known, row) || isStartWanted(row);
    return livenessWanted ? RowChange.ALL_COLUMNS : missingColumns(row);
  }

  /**
   * Like {@link #wantedColumns}, for UNDO changes that follow an UNDO change with the timestamp. In
   * a diff scan, every UNDO change below the snapshot matters, because it shows that the row
   * changed.
   */
  long wantedColumnsOfUndo(int row, long timestamp) {
    return diffStart >= 0 && timestamp < snapshot ? RowChange.ALL_COLUMNS : wantedColumns(row);
  }

  private boolean isStartWanted(int row) {
    return diffStart >= 0 && !isSet(startKnown, row);
  }

  private long missingColumns(int row) {
    if (isSet(ended, row)) {
      return 0;
    }
    long missing = 0;
    for (int column = 0; column < changeable.length; column++) {
      if (changeable[column] != 0 && !isOverridden(column, row)) {
        missing |= changeable[column];
      }
    }
    return missing;
  }

  boolean isDiff() {
    return diffStart >= 0;
  }

  /** UNDO changes with this timestamp or a later one apply. */
  long undoFrom() {
    return diffStart >= 0 ? diffStart : snapshot;
  }

  /** REDO changes with an earlier timestamp apply. */
  long snapshot() {
    return snapshot;
  }

  /**
   * Adds a REDO change of a row. It must be older than all REDO changes of the row added before.
   *
   * @param copy whether the change's memory may be freed before the end of the block
   */
  void addRedo(int row, long entry, boolean copy) {
    visited++;
    long timestamp = Mutation.timestamp(entry);
    if (timestamp >= snapshot) {
      return;
    }
    byte kind = RowChange.kind(Mutation.changeAddress(entry));
    noteLiveness(row, kind);
    if (diffStart >= 0 && timestamp >= diffStart) {
      set(changed, row);
    } else if (diffStart >= 0) {
      noteStart(row, kind);
    }
    take(row, entry, copy);
  }

  /**
   * Adds an UNDO change of a row. It must be newer than all UNDO changes of the row added before.
   * Its memory is copied.
   */
  void addUndo(int row, long entry) {
    visited++;
    long timestamp = Mutation.timestamp(entry);
    if (timestamp < undoFrom()) {
      return;
    }
    byte kind = RowChange.kind(Mutation.changeAddress(entry));
    if (diffStart >= 0) {
      noteStart(row, kind);
    }
    if (timestamp >= snapshot) {
      noteLiveness(row, kind);
      if (kind == RowChange.DELETE) {
        takeLastCells(row);
      }
      take(row, entry, true);
    } else {
      anything = true;
      set(changed, row);
      if (kind == RowChange.REINSERT) {
        keepLastCells(row, entry);
      }
    }
  }

  /**
   * Keeps the cells of a row that was deleted between diffStart and snapshot. If the row is still
   * deleted at the snapshot, these are the cells that the scan returns.
   */
  private void keepLastCells(int row, long entry) {
    lastCellsRow = row;
    lastCells = copies.copy(entry, Mutation.HEADER_BYTES + Mutation.changeLength(entry));
  }

  private void takeLastCells(int row) {
    if (lastCellsRow == row) {
      take(row, lastCells, false);
      set(ended, row);
    }
  }

  private void noteLiveness(int row, byte kind) {
    anything = true;
    if (!isSet(known, row)) {
      set(known, row);
      if (kind == RowChange.DELETE) {
        set(dead, row);
      }
    }
  }

  private void noteStart(int row, byte kind) {
    if (!isSet(startKnown, row)) {
      set(startKnown, row);
      if (kind == RowChange.DELETE) {
        set(deadAtStart, row);
      }
    }
  }

  private void take(int row, long entry, boolean copy) {
    if (isSet(ended, row)) {
      return;
    }
    long change = Mutation.changeAddress(entry);
    takeCells(row, change, copy);
    endAt(row, RowChange.kind(change));
  }

  private void endAt(int row, byte kind) {
    if (kind == RowChange.REINSERT) {
      takeDefaults(row);
      set(ended, row);
    } else if (kind == RowChange.DELETE && diffStart < 0) {
      set(ended, row);
    }
  }

  /** Takes the cells of a change for columns that are scanned and still unknown. */
  private void takeCells(int row, long change, boolean copy) {
    int cellCount = RowChange.cellCount(change);
    long at = change + RowChange.HEADER_BYTES;
    for (int i = 0; i < cellCount; i++) {
      int length = Memory.getInt(at + 4);
      int column = columns.numberOfId(Memory.getInt(at));
      at += RowChange.CELL_HEADER_BYTES;
      if (column >= 0 && !isOverridden(column, row)) {
        put(column, row, copy && length > 0 ? copies.copy(at, length) : at, length);
      }
      at += Math.max(length, 0);
    }
  }

  /**
   * After a REINSERT, columns that did not exist at the time of the REINSERT have their read
   * default.
   */
  private void takeDefaults(int row) {
    for (int column = 0; column < changeable.length; column++) {
      if (changeable[column] != 0 && !isOverridden(column, row)) {
        putDefault(column, row);
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
    if (length == NULL_LENGTH && !columns.column(column).isNullable()) {
      throw KuduException.corruption(
          "A change sets column %s, which is not nullable, to NULL", columns.column(column));
    }
    cells.put(column, row, address, length);
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
