package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import java.io.IOException;

/**
 * The changes of one store of a DiskRowSet, handed out block by block in ascending ordinals. Always
 * one changed row ahead, so a block without changes costs one comparison.
 */
abstract class ChangeFeed implements AutoCloseable {
  private boolean started;
  private boolean pending;

  static ChangeFeed of(DeltaMemStore store) {
    return new OfStore(store);
  }

  /** The file's user count belongs to whoever pinned it. */
  static ChangeFeed of(DeltaFile file) {
    return file.kind() == DeltaFileWriter.Kind.REDO ? new OfRedo(file) : new OfUndo(file);
  }

  abstract void seek(long ordinal) throws IOException;

  abstract boolean next() throws IOException;

  abstract long ordinal();

  /** Adds the current row's changes and moves to the next changed row; false at the end. */
  abstract boolean addRow(ChangeOverlay changes, int row) throws IOException;

  /** Adds the changes of the rows {@code [first, first + count)}, which lie behind all before. */
  final void addTo(ChangeOverlay changes, long first, int count) throws IOException {
    if (!started) {
      started = true;
      seek(first);
      pending = next();
    }
    while (pending && ordinal() < first + count) {
      pending = addRow(changes, (int) (ordinal() - first));
    }
  }

  @Override
  public void close() {}

  private static final class OfStore extends ChangeFeed {
    private final DeltaMemStore.Cursor cursor;

    OfStore(DeltaMemStore store) {
      this.cursor = store.cursor();
    }

    @Override
    void seek(long ordinal) {
      cursor.seek(ordinal);
    }

    @Override
    boolean next() {
      return cursor.next();
    }

    @Override
    long ordinal() {
      return cursor.ordinal();
    }

    @Override
    boolean addRow(ChangeOverlay changes, int row) {
      changes.addChain(row, cursor.newest());
      return cursor.next();
    }
  }

  private abstract static class OfFile extends ChangeFeed {
    private final DeltaFile file;
    DeltaFile.Cursor cursor;

    OfFile(DeltaFile file) {
      this.file = file;
    }

    @Override
    void seek(long ordinal) throws IOException {
      cursor = file.openCursor();
      cursor.seek(ordinal);
    }

    @Override
    boolean next() throws IOException {
      return cursor.next();
    }

    @Override
    long ordinal() {
      return cursor.ordinal();
    }

    @Override
    final boolean addRow(ChangeOverlay changes, int row) throws IOException {
      long ordinal = cursor.ordinal();
      if (isDone(changes, row)) {
        return cursor.nextRow();
      }
      add(changes, row);
      while (cursor.hasMoreOfRow()) {
        long wanted = wanted(changes, row);
        if (wanted == 0) {
          return cursor.nextRow();
        }
        if (!nextWanted(changes, wanted)) {
          return false;
        }
        if (cursor.ordinal() != ordinal) {
          return true;
        }
        add(changes, row);
      }
      return cursor.next();
    }

    /** Whether nothing in the file can matter for the row. */
    abstract boolean isDone(ChangeOverlay changes, int row);

    /** Adds the current change. */
    abstract void add(ChangeOverlay changes, int row);

    /** The columns that changes behind the current one may give a value. */
    abstract long wanted(ChangeOverlay changes, int row);

    /** Moves on; changes of the row that do not count may be left out. */
    abstract boolean nextWanted(ChangeOverlay changes, long wanted) throws IOException;

    @Override
    public void close() {
      if (cursor != null) {
        cursor.close();
        cursor = null;
      }
    }
  }

  private static final class OfRedo extends OfFile {
    OfRedo(DeltaFile file) {
      super(file);
    }

    @Override
    boolean isDone(ChangeOverlay changes, int row) {
      return changes.isDone(row);
    }

    @Override
    void add(ChangeOverlay changes, int row) {
      changes.addRedo(row, cursor.entry(), true);
    }

    @Override
    long wanted(ChangeOverlay changes, int row) {
      return changes.wantedColumns(row);
    }

    @Override
    boolean nextWanted(ChangeOverlay changes, long wanted) throws IOException {
      return cursor.nextWanted(wanted, 0, changes.snapshot());
    }
  }

  private static final class OfUndo extends OfFile {
    OfUndo(DeltaFile file) {
      super(file);
    }

    @Override
    boolean isDone(ChangeOverlay changes, int row) {
      return !changes.isDiff() && changes.isDone(row);
    }

    @Override
    void add(ChangeOverlay changes, int row) {
      changes.addUndo(row, cursor.entry());
    }

    @Override
    long wanted(ChangeOverlay changes, int row) {
      return changes.wantedColumnsOfUndo(row, cursor.timestamp());
    }

    @Override
    boolean nextWanted(ChangeOverlay changes, long wanted) throws IOException {
      return cursor.nextWanted(wanted, changes.undoFrom(), Long.MAX_VALUE);
    }
  }
}
