package dev.kudu4j.tablet.check;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.components.Liveness;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.delta.RowChangeReader;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.proto.ColumnFilePB;
import dev.kudu4j.tablet.proto.DeltaFilePB;
import dev.kudu4j.tablet.proto.IndexFilePB;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.ColumnFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;

/** Checks one rowset of a tablet: its files against the superblock and against each other. */
final class RowSetChecker {
  private static final int TIMESTAMPS_AT_ONCE = 4096;

  private final BufferAllocator allocator;
  private final RowSetPB message;
  private final Problems problems;
  private final BaseData base;
  private final List<ColumnFile> columns = new ArrayList<>();
  private final List<DeltaFile> undo = new ArrayList<>();
  private final List<DeltaFile> redo = new ArrayList<>();
  private final List<IndexFile> indexes = new ArrayList<>();

  /** The timestamp of the newest UNDO change of each cell, and of each row's liveness. */
  private final Map<Cell, Long> newestUndone = new HashMap<>();

  private final Map<Integer, ColumnSchema> columnsById = new HashMap<>();
  private final Liveness liveness;
  private final RowChangeReader reader = new RowChangeReader();

  /** A column of a row, or the liveness of the row. */
  private record Cell(long ordinal, int columnId) {
    static final int LIVENESS = -1;
  }

  private RowSetChecker(
      BufferAllocator allocator,
      RowSetPB message,
      Schema schema,
      Problems problems,
      BaseData base) {
    this.allocator = allocator;
    this.message = message;
    this.problems = problems;
    this.base = base;
    for (ColumnSchema column : schema.columns()) {
      columnsById.put(column.id(), column);
    }
    this.liveness = new Liveness(base.rowCount());
  }

  static RowSetChecker open(
      TabletEnvironment environment, RowSetPB message, Schema schema, Problems problems)
      throws IOException {
    BaseData base =
        BaseData.open(environment, environment.directory().resolve(message.getBaseFile()));
    RowSetChecker rowSet =
        new RowSetChecker(environment.allocator(), message, schema, problems, base);
    try {
      for (ColumnFilePB file : message.getColumnFilesList()) {
        rowSet.columns.add(
            ColumnFile.open(environment, environment.directory().resolve(file.getFile())));
      }
      openDeltas(environment, message.getUndoFilesList(), rowSet.undo);
      openDeltas(environment, message.getRedoFilesList(), rowSet.redo);
      for (IndexFilePB file : message.getIndexFilesList()) {
        rowSet.indexes.add(
            IndexFile.open(environment, environment.directory().resolve(file.getFile())));
      }
      return rowSet;
    } catch (Throwable e) {
      rowSet.close();
      throw e;
    }
  }

  private static void openDeltas(
      TabletEnvironment environment, List<DeltaFilePB> messages, List<DeltaFile> files)
      throws IOException {
    for (DeltaFilePB file : messages) {
      files.add(DeltaFile.open(environment, environment.directory().resolve(file.getFile())));
    }
  }

  BaseData base() {
    return base;
  }

  /** Which rows are live; valid after {@link #check}. */
  Liveness liveness() {
    return liveness;
  }

  void check(long maxTimestamp) throws IOException {
    expect("rows", message.getRowCount(), base.rowCount());
    expect("smallest insert timestamp", message.getMinInsertTimestamp(), base.minInsertTimestamp());
    expect("largest insert timestamp", message.getMaxInsertTimestamp(), base.maxInsertTimestamp());
    expectKey("smallest key", message.getMinKey().toByteArray(), base.minKey());
    expectKey("largest key", message.getMaxKey().toByteArray(), base.maxKey());
    checkNotAbove(base.maxInsertTimestamp(), maxTimestamp);
    checkTypes(message.getBaseFile(), base.footer().columns());
    long[] newest = insertTimestamps();
    for (int i = 0; i < columns.size(); i++) {
      checkColumns(columns.get(i), message.getColumnFiles(i));
    }
    for (int i = 0; i < undo.size(); i++) {
      checkFile(undo.get(i), message.getUndoFiles(i), DeltaFileWriter.Kind.UNDO, maxTimestamp);
      checkUndo(undo.get(i), message.getUndoFiles(i).getFile(), newest);
    }
    for (int i = 0; i < redo.size(); i++) {
      checkFile(redo.get(i), message.getRedoFiles(i), DeltaFileWriter.Kind.REDO, maxTimestamp);
      checkRedo(redo.get(i), message.getRedoFiles(i).getFile(), newest);
    }
    expect("live rows", message.getLiveRowCount(), liveness.liveCount());
    for (int i = 0; i < indexes.size(); i++) {
      checkIndex(indexes.get(i), message.getIndexFiles(i));
    }
  }

  private void checkIndex(IndexFile file, IndexFilePB expected) throws IOException {
    expect("index of " + expected.getFile(), expected.getIndexId(), file.indexId());
    List<Integer> found = file.columns().stream().map(column -> column.column().id()).toList();
    if (!found.equals(expected.getColumnIdsList())) {
      problems.add(
          0,
          "%s: expected columns %s, found %s",
          expected.getFile(),
          expected.getColumnIdsList(),
          found);
      return;
    }
    RowSetFiles files = new RowSetFiles(base, columns, undo, redo, indexes);
    String name = expected.getFile();
    long count =
        IndexCheck.check(
            allocator,
            files,
            file,
            (ordinal, text) ->
                problems.add(
                    0,
                    "%s: %s%s",
                    name,
                    ordinal == IndexDifference.WHOLE_FILE ? "" : "row " + ordinal + ": ",
                    text));
    if (count > IndexCheck.MAX_DESCRIBED) {
      problems.add(0, "%s: %d differences from the rows in all", name, count);
    }
  }

  private long[] insertTimestamps() throws IOException {
    long[] all = new long[Math.toIntExact(base.rowCount())];
    long[] some = new long[Math.min(all.length, TIMESTAMPS_AT_ONCE)];
    for (int first = 0; first < all.length; first += some.length) {
      int count = Math.min(some.length, all.length - first);
      base.readInsertTimestamps(first, count, some);
      System.arraycopy(some, 0, all, first, count);
    }
    return all;
  }

  /**
   * Checks the columns of a file against the schema: a column never changes its type or its
   * nullability, and never becomes or ceases to be a key column. Columns that are no longer in the
   * schema are not checked.
   */
  private void checkTypes(String file, List<ColumnIndex> found) {
    for (ColumnIndex index : found) {
      ColumnSchema written = index.column();
      ColumnSchema expected = columnsById.get(written.id());
      if (expected != null
          && (expected.type() != written.type()
              || expected.isKey() != written.isKey()
              || expected.isNullable() != written.isNullable())) {
        problems.add(
            0, "%s: column id %d: expected %s, found %s", file, written.id(), expected, written);
      }
    }
  }

  private void checkColumns(ColumnFile file, ColumnFilePB expected) {
    checkTypes(expected.getFile(), file.columns());
    expect("rows of " + expected.getFile(), base.rowCount(), file.rowCount());
    List<Integer> found = file.columns().stream().map(column -> column.column().id()).toList();
    if (!found.equals(expected.getColumnIdsList())) {
      problems.add(
          0,
          "%s: expected columns %s, found %s",
          expected.getFile(),
          expected.getColumnIdsList(),
          found);
    }
  }

  private void checkFile(
      DeltaFile file, DeltaFilePB expected, DeltaFileWriter.Kind kind, long maxTimestamp) {
    expect("changes of " + expected.getFile(), expected.getCount(), file.count());
    expect(
        "liveness changes of " + expected.getFile(),
        expected.getLivenessChangeCount(),
        file.livenessChangeCount());
    checkNotAbove(file.maxTimestamp(), maxTimestamp);
    if (file.kind() != kind) {
      problems.add(0, "%s: expected %s, found %s", expected.getFile(), kind, file.kind());
    }
  }

  /**
   * Checks that no UNDO change is older than the insertion of its row, and that each row is live
   * after its newest UNDO change, as base data requires.
   */
  private void checkUndo(DeltaFile file, String name, long[] inserted) throws IOException {
    long row = -1;
    boolean deleted = false; // whether the row was deleted just before the current change
    try (DeltaFile.Cursor cursor = file.openCursor()) {
      while (cursor.next()) {
        byte kind = RowChange.kind(cursor.changeAddress());
        if (cursor.ordinal() != row) {
          checkAliveAtEnd(name, row, deleted);
          row = cursor.ordinal();
          deleted = kind == RowChange.DELETE;
        }
        if (row >= inserted.length || cursor.timestamp() < inserted[(int) row]) {
          problems.add(
              0,
              "%s: a change at timestamp %d of row %d, which did not exist then",
              name,
              cursor.timestamp(),
              row);
          return;
        }
        if (deleted != (kind == RowChange.DELETE)) {
          addKind(name, row, deleted, cursor.timestamp(), kind);
        }
        deleted = kind == RowChange.REINSERT;
        noteUndone(name, cursor, kind);
      }
    }
    checkAliveAtEnd(name, row, deleted);
  }

  private void checkAliveAtEnd(String name, long row, boolean deleted) {
    if (deleted) {
      problems.add(0, "%s: row %d: expected its last deletion in REDO, found UNDO", name, row);
    }
  }

  private void noteUndone(String file, DeltaFile.Cursor cursor, byte kind) {
    if (kind != RowChange.UPDATE) {
      newestUndone.put(new Cell(cursor.ordinal(), Cell.LIVENESS), cursor.timestamp());
    }
    reader.open(cursor.changeAddress(), cursor.changeLength());
    while (reader.nextCell()) {
      checkCell(file, cursor.ordinal());
      Cell cell = new Cell(cursor.ordinal(), reader.columnId());
      newestUndone.merge(cell, cursor.timestamp(), Math::max);
    }
  }

  /**
   * Checks that the reader's cell is valid for its column. Cells of columns that are no longer in
   * the schema are not checked.
   */
  private void checkCell(String file, long ordinal) {
    ColumnSchema column = columnsById.get(reader.columnId());
    if (column == null) {
      return;
    }
    int width = column.type().width();
    boolean fits =
        reader.isNull() ? column.isNullable() : width <= 0 || reader.cellLength() == width;
    if (!fits || column.isKey()) {
      problems.add(
          0,
          "%s: row %d: expected a cell of column %s, found %s",
          file,
          ordinal,
          column,
          reader.isNull() ? "NULL" : reader.cellLength() + " bytes");
    }
  }

  private void checkNotUndone(DeltaFile.Cursor cursor, String name, Cell cell) {
    Long undone = newestUndone.get(cell);
    if (undone != null && undone > cursor.timestamp()) {
      problems.add(
          0,
          "%s: expected a change of row %d, column %d, after its newest UNDO change at timestamp"
              + " %d, found %d",
          name,
          cell.ordinal(),
          cell.columnId(),
          undone,
          cursor.timestamp());
    }
  }

  private void checkRedo(DeltaFile file, String name, long[] newest) throws IOException {
    try (DeltaFile.Cursor cursor = file.openCursor()) {
      boolean more = cursor.next();
      while (more) {
        more = checkRow(cursor, name, newest);
      }
    }
  }

  /**
   * Checks the changes of the cursor's row, newest first, and moves past them; false at the end.
   */
  private boolean checkRow(DeltaFile.Cursor cursor, String file, long[] newest) throws IOException {
    long ordinal = cursor.ordinal();
    if (ordinal < 0 || ordinal >= newest.length) {
      problems.add(0, "%s: expected ordinals below %d, found %d", file, newest.length, ordinal);
      return cursor.nextRow();
    }
    long newestTimestamp = cursor.timestamp();
    boolean deletedAfter = RowChange.kind(cursor.changeAddress()) == RowChange.DELETE;
    boolean deleted = deletedAfter;
    long timestamp;
    byte kind;
    boolean more;
    do {
      timestamp = cursor.timestamp();
      kind = RowChange.kind(cursor.changeAddress());
      if (deleted != (kind == RowChange.DELETE)) {
        addKind(file, ordinal, deleted, timestamp, kind);
      }
      deleted = kind == RowChange.REINSERT; // whether the row was deleted before this change
      reader.open(cursor.changeAddress(), cursor.changeLength());
      while (reader.nextCell()) {
        checkCell(file, ordinal);
        checkNotUndone(cursor, file, new Cell(ordinal, reader.columnId()));
      }
      if (kind != RowChange.UPDATE) {
        checkNotUndone(cursor, file, new Cell(ordinal, Cell.LIVENESS));
      }
      more = cursor.next();
    } while (more && cursor.ordinal() == ordinal);
    checkOldest(file, ordinal, timestamp, kind, newest[(int) ordinal]);
    newest[(int) ordinal] = newestTimestamp;
    if (deletedAfter) {
      liveness.delete(ordinal);
    } else {
      liveness.reinsert(ordinal);
    }
    return more;
  }

  private void checkOldest(
      String file, long ordinal, long timestamp, byte kind, long newestBefore) {
    if (timestamp < newestBefore) {
      problems.add(
          0,
          "%s: expected a change of row %d at or after timestamp %d, found %d",
          file,
          ordinal,
          newestBefore,
          timestamp);
    }
    if (liveness.isDeleted(ordinal) != (kind == RowChange.REINSERT)) {
      addKind(file, ordinal, liveness.isDeleted(ordinal), timestamp, kind);
    }
  }

  private void addKind(String file, long ordinal, boolean deleted, long timestamp, byte kind) {
    problems.add(
        0,
        "%s: row %d, %s at %d, cannot have a change of kind %d",
        file,
        ordinal,
        deleted ? "deleted" : "alive",
        timestamp,
        kind);
  }

  private void checkNotAbove(long timestamp, long maxTimestamp) {
    if (timestamp > maxTimestamp) {
      problems.add(
          0,
          "rowset %d: expected timestamps up to %d, found %d",
          message.getId(),
          maxTimestamp,
          timestamp);
    }
  }

  private void expect(String what, long expected, long found) {
    if (expected != found) {
      problems.add(
          0, "rowset %d: %s: expected %d, found %d", message.getId(), what, expected, found);
    }
  }

  private void expectKey(String what, byte[] expected, byte[] found) {
    if (!Arrays.equals(expected, found)) {
      problems.add(
          0,
          "rowset %d: %s: expected %s, found %s",
          message.getId(),
          what,
          Hex.of(expected),
          Hex.of(found));
    }
  }

  void close() {
    columns.forEach(ColumnFile::release);
    undo.forEach(DeltaFile::release);
    redo.forEach(DeltaFile::release);
    indexes.forEach(IndexFile::release);
    base.release();
  }
}
