package dev.kudu4j.tablet.rewrite;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.batch.CellOverrides;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import java.io.IOException;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Rolls the cells of a block of rows forward to their latest state, and turns the REDO changes into
 * UNDO changes.
 *
 * <pre>
 *   REDO change at t             becomes UNDO change at t      and the row
 *   UPDATE(cells)                UPDATE(these cells before)    has the new cells
 *   DELETE, then REINSERT        REINSERT(all cells before)    is dead until the REINSERT
 *   REINSERT(cells)              DELETE                        has these cells, else read defaults
 *   DELETE, the last change      none: stays REDO              keeps its last cells
 * </pre>
 *
 * <p>A DELETE that is the last change of its row stays REDO, because base data cannot mark a row as
 * deleted.
 *
 * <p>Existing UNDO changes of the rows are merged with the new UNDO changes. Cells of dropped
 * columns are removed from the changes; a change remains even if it has no cells left. UNDO changes
 * below the ancient history mark are dropped.
 *
 * <p>Rolls forward either whole rows ({@link #ofRows}) or some columns ({@link #ofColumns}). A
 * major delta compaction rolls forward some columns; deletions and the changes of other columns
 * then stay REDO.
 *
 * <p>The source of the rows does not matter: cells arrive in a batch, changes come from a {@link
 * MutationSource}, histories go to a {@link HistorySink}. One instance serves many blocks. Not
 * thread-safe.
 */
public final class RollForward implements AutoCloseable {
  private static final int DROPPED = -1;
  private static final int STAYS_REDO = -2;

  private final Schema schema;
  private final long ancientHistoryMark;
  private final boolean wholeRows;

  /**
   * Maps a column id to the column's index in the batch, or to {@link #DROPPED} or {@link
   * #STAYS_REDO}.
   */
  private final int[] indexById;

  private final byte[][] defaultCells;
  private final MutationBuilder entries;
  private final MutationList redo = new MutationList();
  private final MutationList undo = new MutationList();
  private final MutationList staying = new MutationList();
  private CellOverrides cells;
  private int maxRows;

  @SuppressWarnings("NullAway.Init") // set before a row of it is rolled
  private ColumnBatch batch;

  private int row;

  private RollForward(
      BufferAllocator allocator,
      Schema schema,
      @Nullable Schema tabletSchema,
      long ancientHistoryMark) {
    this.schema = schema;
    this.ancientHistoryMark = ancientHistoryMark;
    this.wholeRows = tabletSchema == null;
    this.indexById = indexById(schema, tabletSchema);
    this.entries = new MutationBuilder(allocator);
    this.cells = new CellOverrides(schema.columnCount(), maxRows);
    this.defaultCells = new byte[schema.columnCount()][];
    for (int i = 0; i < defaultCells.length; i++) {
      defaultCells[i] = schema.column(i).readDefault();
    }
  }

  /**
   * Rolls forward whole rows.
   *
   * @param allocator allocates the memory; closed by the caller
   * @param schema the schema of the batches; columns that are not in it have been dropped
   * @param ancientHistoryMark 0 keeps all history
   */
  public static RollForward ofRows(
      BufferAllocator allocator, Schema schema, long ancientHistoryMark) {
    return new RollForward(allocator, schema, null, ancientHistoryMark);
  }

  /**
   * Rolls forward some non-key columns.
   *
   * @param allocator allocates the memory; closed by the caller
   * @param columns the columns of the batches
   * @param tabletSchema the tablet's schema; columns that are not in it have been dropped
   * @param ancientHistoryMark 0 keeps all history
   */
  public static RollForward ofColumns(
      BufferAllocator allocator, Schema columns, Schema tabletSchema, long ancientHistoryMark) {
    return new RollForward(allocator, columns, tabletSchema, ancientHistoryMark);
  }

  private static int[] indexById(Schema batchSchema, @Nullable Schema tabletSchema) {
    int[] indexes = new int[0];
    if (tabletSchema != null) {
      for (ColumnSchema column : tabletSchema.columns()) {
        indexes = withIndex(indexes, column.id(), STAYS_REDO);
      }
    }
    for (int i = 0; i < batchSchema.columnCount(); i++) {
      indexes = withIndex(indexes, batchSchema.column(i).id(), i);
    }
    return indexes;
  }

  private static int[] withIndex(int[] indexes, int id, int index) {
    int[] grown = indexes;
    if (id >= indexes.length) {
      grown = Arrays.copyOf(indexes, id + 1);
      Arrays.fill(grown, indexes.length, grown.length, DROPPED);
    }
    grown[id] = index;
    return grown;
  }

  private int indexOfId(int id) {
    return id >= 0 && id < indexById.length ? indexById[id] : DROPPED;
  }

  /**
   * Rolls a block forward.
   *
   * @param rows cells before the REDO changes; modified in place
   */
  public void roll(ColumnBatch rows, MutationSource changes, HistorySink out) throws IOException {
    begin(rows);
    for (row = 0; row < rows.rowCount(); row++) {
      undo.clear();
      redo.clear();
      changes.addUndo(row, undo);
      changes.addRedo(row, redo);
      if (undo.isEmpty() && redo.isEmpty()) {
        continue;
      }
      staying.clear();
      for (int i = redo.size() - 1; i >= 0; i--) {
        invert(redo.get(i), i == 0);
      }
      UndoSorter.sortAndJoin(undo, ancientHistoryMark, entries);
      for (int i = 0; i < undo.size(); i++) {
        out.undo(row, undo.get(i));
      }
      for (int i = staying.size() - 1; i >= 0; i--) {
        out.redo(row, staying.get(i));
      }
    }
    for (int column = 0; column < schema.columnCount(); column++) {
      if (cells.touches(column)) {
        cells.applyTo(column, 0, rows.rowCount(), rows.column(column), 0);
      }
    }
  }

  private void begin(ColumnBatch rows) {
    assert rows.schema().equals(schema);
    batch = rows;
    entries.clear();
    if (rows.rowCount() > maxRows) {
      maxRows = rows.rowCount();
      cells = new CellOverrides(schema.columnCount(), maxRows);
    } else {
      cells.clear();
    }
  }

  private void invert(long entry, boolean last) {
    long change = Mutation.changeAddress(entry);
    switch (RowChange.kind(change)) {
      case RowChange.UPDATE -> invertUpdate(entry, change);
      case RowChange.DELETE -> invertDelete(entry, last);
      case RowChange.REINSERT -> invertReinsert(entry, change);
      default ->
          throw KuduException.corruption("A change has unknown kind %d", RowChange.kind(change));
    }
  }

  /**
   * Builds the UNDO change from the row's current cells, then replaces these cells by the new ones.
   */
  private void invertUpdate(long entry, long change) {
    int count = RowChange.cellCount(change);
    int rolled = 0;
    int stay = 0;
    entries.begin(RowChange.UPDATE);
    long cell = change + RowChange.HEADER_BYTES;
    for (int left = count; left > 0; left--) {
      int column = indexOfId(Memory.getInt(cell));
      int length = Memory.getInt(cell + 4);
      if (column >= 0) {
        addCurrent(column);
        rolled++;
      } else if (column == STAYS_REDO) {
        stay++;
      }
      cell += RowChange.CELL_HEADER_BYTES + Math.max(0, length);
    }
    if (rolled > 0 || stay == 0) {
      addUndo(entry);
    }
    setCells(change);
    if (stay > 0) {
      staying.add(rolled == 0 ? entry : withStayingCellsOnly(entry, change));
    }
  }

  private void addUndo(long entry) {
    if (Mutation.timestamp(entry) >= ancientHistoryMark) {
      undo.add(entries.end(Mutation.timestamp(entry), Mutation.sequence(entry)));
    }
  }

  private void addCurrent(int column) {
    int id = schema.column(column).id();
    if (cells.isOverridden(column, row)) {
      entries.addCell(id, cells.address(column, row), cells.length(column, row));
      return;
    }
    ColumnVector vector = batch.column(column);
    if (vector.isNull(row)) {
      entries.addCell(id, 0, RowChange.NULL_LENGTH);
    } else {
      entries.addCell(id, vector.cellAddress(row), vector.cellLength(row));
    }
  }

  private void setCells(long change) {
    long cell = change + RowChange.HEADER_BYTES;
    for (int left = RowChange.cellCount(change); left > 0; left--) {
      int column = indexOfId(Memory.getInt(cell));
      int length = Memory.getInt(cell + 4);
      cell += RowChange.CELL_HEADER_BYTES;
      if (column >= 0) {
        put(column, cell, length);
      }
      cell += Math.max(0, length);
    }
  }

  private void put(int column, long address, int length) {
    if (length == RowChange.NULL_LENGTH && !schema.column(column).isNullable()) {
      throw KuduException.corruption(
          "A change sets column %s, which is not nullable, to NULL", schema.column(column));
    }
    cells.put(column, row, address, length);
  }

  private long withStayingCellsOnly(long entry, long change) {
    entries.begin(RowChange.UPDATE);
    long cell = change + RowChange.HEADER_BYTES;
    for (int left = RowChange.cellCount(change); left > 0; left--) {
      int id = Memory.getInt(cell);
      int length = Memory.getInt(cell + 4);
      cell += RowChange.CELL_HEADER_BYTES;
      if (indexOfId(id) == STAYS_REDO) {
        entries.addCell(id, cell, length);
      }
      cell += Math.max(0, length);
    }
    return entries.end(Mutation.timestamp(entry), Mutation.sequence(entry));
  }

  private void invertDelete(long entry, boolean last) {
    if (last || !wholeRows) {
      staying.add(entry);
      return;
    }
    entries.begin(RowChange.REINSERT);
    for (int column = schema.keyColumnCount(); column < schema.columnCount(); column++) {
      addCurrent(column);
    }
    addUndo(entry);
  }

  private void invertReinsert(long entry, long change) {
    if (!wholeRows) {
      throw new IllegalStateException(
          "A REDO file contains a REINSERT at timestamp "
              + Mutation.timestamp(entry)
              + "; whole rows must be rolled forward");
    }
    entries.begin(RowChange.DELETE);
    addUndo(entry);
    for (int column = schema.keyColumnCount(); column < schema.columnCount(); column++) {
      putDefault(column);
    }
    setCells(change);
  }

  private void putDefault(int column) {
    byte[] cell = defaultCells[column];
    if (cell == null) {
      cells.put(
          column,
          row,
          0,
          RowChange.NULL_LENGTH); // the reinsert sets all columns that are not nullable
    } else {
      cells.put(column, row, entries.copy(cell), cell.length);
    }
  }

  @Override
  public void close() {
    entries.close();
  }
}
