package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.file.BlockReads;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the changes of one DeltaMemStore or delta file, block by block in ascending order
 * of ordinals. Rows between two blocks are skipped. The iterator is always positioned at the next
 * changed row, so a block without changes costs one comparison.
 */
abstract class DeltaIterator implements AutoCloseable {
  private boolean started;
  private boolean pending;

  /**
   * Whether the changes of the current row have been added. The iterator leaves the row only when a
   * later row is requested.
   */
  private boolean added;

  private long row;

  static DeltaIterator of(DeltaMemStore store) {
    return new OfStore(store);
  }

  /**
   * Iterates over a delta file, which the caller keeps pinned.
   *
   * @param work counts the file and its blocks
   */
  static DeltaIterator of(DeltaFile file, ScanWork work) {
    work.addDeltaFileRead();
    return file.kind() == DeltaFileWriter.Kind.REDO
        ? new OfRedo(file, work.reads())
        : new OfUndo(file, work.reads());
  }

  abstract void seek(long ordinal) throws IOException;

  abstract boolean next() throws IOException;

  abstract long ordinal();

  /** Adds the relevant changes of the current row. */
  abstract void addRow(ChangeOverlay changes, int row) throws IOException;

  /** Moves to the next changed row; false at the end. */
  abstract boolean leaveRow() throws IOException;

  /**
   * Adds the changes of the rows {@code [first, first + count)}. Ranges of successive calls ascend.
   */
  final void addTo(ChangeOverlay changes, long first, int count) throws IOException {
    skipTo(first);
    long end = first + count;
    while (pending && (added ? row + 1 : ordinal()) < end) {
      if (added) {
        pending = leaveRow();
        added = false;
      } else {
        row = ordinal();
        addRow(changes, (int) (row - first));
        added = true;
      }
    }
  }

  private void skipTo(long first) throws IOException {
    if (added && pending && row + 1 < first) {
      pending = leaveRow();
      added = false;
    }
    if (!started || (pending && !added && ordinal() < first)) {
      started = true;
      seek(first);
      pending = next();
    }
  }

  @Override
  public void close() {}

  private static final class OfStore extends DeltaIterator {
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
    void addRow(ChangeOverlay changes, int row) {
      changes.addChain(row, cursor.newest());
    }

    @Override
    boolean leaveRow() {
      return cursor.next();
    }
  }

  private abstract static class OfFile extends DeltaIterator {
    private final DeltaFile file;
    private final BlockReads reads;
    private DeltaFile.@Nullable Cursor cursor; // null before the first row

    /**
     * Whether the cursor has already passed the current row. If so, the cursor is at the next
     * changed row if {@link #more} is true, else at the end.
     */
    private boolean left;

    private boolean more;

    OfFile(DeltaFile file, BlockReads reads) {
      this.file = file;
      this.reads = reads;
    }

    @Override
    void seek(long ordinal) throws IOException {
      if (cursor == null) {
        cursor = file.openCursor(reads);
      }
      cursor.seek(ordinal);
    }

    final DeltaFile.Cursor cursor() {
      assert cursor != null : "the iterator has been moved to its first row";
      return cursor;
    }

    @Override
    boolean next() throws IOException {
      return cursor().next();
    }

    @Override
    long ordinal() {
      return cursor().ordinal();
    }

    @Override
    final void addRow(ChangeOverlay changes, int row) throws IOException {
      if (isDone(changes, row)) {
        return;
      }
      if (!cursor().hasMoreOfRow()) {
        add(changes, row);
        return;
      }
      long ordinal = cursor().ordinal();
      add(changes, row);
      long wanted = wanted(changes, row);
      while (wanted != 0 && cursor().hasMoreOfRow()) {
        more = nextRelevant(changes, wanted);
        left = !more || cursor().ordinal() != ordinal;
        if (left) {
          return;
        }
        add(changes, row);
        wanted = wanted(changes, row);
      }
    }

    @Override
    final boolean leaveRow() throws IOException {
      if (left) {
        left = false;
        return more;
      }
      return cursor().nextRow();
    }

    /** Whether the changes in the file have no effect on the row. */
    abstract boolean isDone(ChangeOverlay changes, int row);

    /** Adds the current change. */
    abstract void add(ChangeOverlay changes, int row);

    /** The columns for which changes after the current one may still matter. */
    abstract long wanted(ChangeOverlay changes, int row);

    /** Moves to the next change; may skip changes of the row that do not apply. */
    abstract boolean nextRelevant(ChangeOverlay changes, long wanted) throws IOException;

    @Override
    public void close() {
      if (cursor != null) {
        cursor.close();
        cursor = null;
      }
    }
  }

  private static final class OfRedo extends OfFile {
    OfRedo(DeltaFile file, BlockReads reads) {
      super(file, reads);
    }

    @Override
    boolean isDone(ChangeOverlay changes, int row) {
      return changes.isDone(row);
    }

    @Override
    void add(ChangeOverlay changes, int row) {
      changes.addRedo(row, cursor().entry(), true);
    }

    @Override
    long wanted(ChangeOverlay changes, int row) {
      return changes.wantedColumns(row);
    }

    @Override
    boolean nextRelevant(ChangeOverlay changes, long wanted) throws IOException {
      return cursor().nextRelevant(wanted, 0, changes.snapshot());
    }
  }

  private static final class OfUndo extends OfFile {
    OfUndo(DeltaFile file, BlockReads reads) {
      super(file, reads);
    }

    @Override
    boolean isDone(ChangeOverlay changes, int row) {
      return !changes.isDiff() && changes.isDone(row);
    }

    @Override
    void add(ChangeOverlay changes, int row) {
      changes.addUndo(row, cursor().entry());
    }

    @Override
    long wanted(ChangeOverlay changes, int row) {
      return changes.wantedColumnsOfUndo(row, cursor().timestamp());
    }

    @Override
    boolean nextRelevant(ChangeOverlay changes, long wanted) throws IOException {
      return cursor().nextRelevant(wanted, changes.undoFrom(), Long.MAX_VALUE);
    }
  }
}
