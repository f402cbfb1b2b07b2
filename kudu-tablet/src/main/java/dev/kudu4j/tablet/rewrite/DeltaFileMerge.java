package dev.kudu4j.tablet.rewrite;

import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.memory.Scratch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Merges several delta files of a rowset, which are either all REDO or all UNDO, into one file: a
 * minor delta compaction. UNDO changes below the ancient history mark are dropped, because no
 * readable snapshot needs them.
 */
public final class DeltaFileMerge implements AutoCloseable {
  private final List<DeltaFile> files;
  private final List<DeltaFile.Cursor> cursors = new ArrayList<>();
  private final BitSet pending = new BitSet();
  private final long ancientHistoryMark;
  private final Scratch scratch;
  private final MutationBuilder entries;
  private final MutationList row = new MutationList();

  /**
   * @param allocator allocates the memory; closed by the caller
   * @param files borrowed; adjacent in their rowset, oldest first
   * @param ancientHistoryMark UNDO changes below it are dropped; 0 keeps all
   */
  public DeltaFileMerge(BufferAllocator allocator, List<DeltaFile> files, long ancientHistoryMark) {
    this.files = files;
    this.ancientHistoryMark = ancientHistoryMark;
    this.scratch = new Scratch(allocator);
    this.entries = new MutationBuilder(allocator);
  }

  /** Receives the changes in file order. */
  @FunctionalInterface
  public interface Output {
    void append(long ordinal, long entry) throws IOException;
  }

  /** Writes all changes. */
  public void writeTo(Output out, DeltaFileWriter.Kind kind) throws IOException {
    start();
    assert files.stream().allMatch(file -> file.kind() == kind);
    for (long ordinal = lowestOrdinal(); ordinal >= 0; ordinal = lowestOrdinal()) {
      scratch.clear();
      entries.clear();
      row.clear();
      for (int i = 0; i < cursors.size(); i++) {
        take(i, ordinal);
      }
      if (kind == DeltaFileWriter.Kind.UNDO) {
        UndoSorter.sortAndJoin(row, ancientHistoryMark, entries);
      }
      for (int i = 0; i < row.size(); i++) {
        out.append(ordinal, row.get(i));
      }
    }
  }

  /**
   * Opens the cursors, newest file first, so that the REDO changes of a row are read newest first.
   * UNDO changes are sorted later.
   */
  private void start() throws IOException {
    for (int i = files.size() - 1; i >= 0; i--) {
      DeltaFile.Cursor cursor = files.get(i).openCursor();
      cursors.add(cursor);
      pending.set(cursors.size() - 1, cursor.next());
    }
  }

  private long lowestOrdinal() {
    long lowest = -1;
    for (int i = 0; i < cursors.size(); i++) {
      if (pending.get(i) && (lowest < 0 || cursors.get(i).ordinal() < lowest)) {
        lowest = cursors.get(i).ordinal();
      }
    }
    return lowest;
  }

  private void take(int i, long ordinal) throws IOException {
    DeltaFile.Cursor cursor = cursors.get(i);
    boolean more = pending.get(i);
    while (more && cursor.ordinal() == ordinal) {
      row.add(scratch.copy(cursor.entry(), Mutation.HEADER_BYTES + cursor.changeLength()));
      more = cursor.next();
    }
    pending.set(i, more);
  }

  @Override
  public void close() {
    cursors.forEach(DeltaFile.Cursor::close);
    scratch.close();
    entries.close();
  }
}
