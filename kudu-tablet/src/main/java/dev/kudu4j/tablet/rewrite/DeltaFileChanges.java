package dev.kudu4j.tablet.rewrite;

import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.memory.Scratch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads the changes of a rowset's files for blocks of rows in ascending order. Copies the changes,
 * because the memory of a change is valid only until the cursor moves.
 */
final class DeltaFileChanges implements MutationSource, AutoCloseable {
  /**
   * A cursor over one delta file; after {@link #take}, it is at the first change of a later row or
   * at the end.
   */
  private static final class RowCursor {
    private final DeltaFile.Cursor cursor;
    private boolean pending;
    private boolean started;

    RowCursor(DeltaFile file) {
      this.cursor = file.openCursor();
    }

    void take(long ordinal, Scratch scratch, MutationList out) throws IOException {
      if (!started || (pending && cursor.ordinal() < ordinal)) {
        started = true;
        cursor.seek(ordinal);
        pending = cursor.next();
      }
      while (pending && cursor.ordinal() == ordinal) {
        out.add(scratch.copy(cursor.entry(), Mutation.HEADER_BYTES + cursor.changeLength()));
        pending = cursor.next();
      }
    }
  }

  private final List<RowCursor> undo = new ArrayList<>();
  private final List<RowCursor> redo = new ArrayList<>();
  private final Scratch scratch;
  private long firstOrdinal;

  /**
   * Borrows the files.
   *
   * @param redoFiles oldest first
   */
  DeltaFileChanges(
      BufferAllocator allocator, List<DeltaFile> undoFiles, List<DeltaFile> redoFiles) {
    this.scratch = new Scratch(allocator);
    undoFiles.forEach(file -> undo.add(new RowCursor(file)));
    for (int i = redoFiles.size() - 1; i >= 0; i--) {
      redo.add(new RowCursor(redoFiles.get(i)));
    }
  }

  /** Starts a block whose first row has the ordinal. */
  void begin(long ordinal) {
    firstOrdinal = ordinal;
    scratch.clear();
  }

  @Override
  public void addRedo(int row, MutationList out) throws IOException {
    for (int i = 0; i < redo.size(); i++) {
      redo.get(i).take(firstOrdinal + row, scratch, out);
    }
  }

  @Override
  public void addUndo(int row, MutationList out) throws IOException {
    for (int i = 0; i < undo.size(); i++) {
      undo.get(i).take(firstOrdinal + row, scratch, out);
    }
  }

  @Override
  public void close() {
    undo.forEach(rows -> rows.cursor.close());
    redo.forEach(rows -> rows.cursor.close());
    scratch.close();
  }
}
