package dev.kudu4j.tablet.compaction.delta;

import dev.kudu4j.tablet.checkpoint.NewFiles;
import dev.kudu4j.tablet.compaction.FileReplacement;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.delta.DeltaFile;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.rewrite.DeltaFileMerge;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Merges adjacent delta files of a rowset, all REDO or all UNDO, into one. */
public final class MinorDeltaCompaction extends FileReplacement {
  private final DeltaFileWriter.Kind kind;
  private final int first;
  private final int count;

  /**
   * @param rowSet pinned until this update is closed
   * @param first index of the oldest file to merge, in the rowset's list of files of the kind
   * @param count number of files to merge, from {@code first} on
   * @param ancientHistoryMark history below it may be dropped; 0 keeps all history
   */
  public MinorDeltaCompaction(
      TabletEnvironment environment,
      DiskRowSet rowSet,
      DeltaFileWriter.Kind kind,
      int first,
      int count,
      long ancientHistoryMark) {
    super(environment, rowSet, ancientHistoryMark);
    this.kind = kind;
    this.first = first;
    this.count = count;
  }

  private List<DeltaFile> all() {
    return kind == DeltaFileWriter.Kind.REDO ? rowSet().redoFiles() : rowSet().undoFiles();
  }

  @Override
  protected RowSetFiles replace(NewFiles files) throws IOException {
    List<DeltaFile> merged = new ArrayList<>(all());
    List<DeltaFile> inputs = merged.subList(first, first + count);
    DeltaFile output = merge(List.copyOf(inputs), files);
    inputs.clear();
    if (output != null) {
      merged.add(first, output);
    }
    RowSetFiles before = rowSet().onDisk();
    return kind == DeltaFileWriter.Kind.REDO
        ? before.withRedoFiles(merged)
        : before.withUndoFiles(merged);
  }

  /** The merged file; null if no change is left. */
  private @Nullable DeltaFile merge(List<DeltaFile> inputs, NewFiles files) throws IOException {
    try (LazyDeltaFile out = new LazyDeltaFile(environment(), files, rowSet().id(), kind);
        DeltaFileMerge merge =
            new DeltaFileMerge(environment().allocator(), inputs, ancientHistoryMark())) {
      merge.writeTo(out::append, kind);
      return out.writer() == null ? null : finish(out.writer(), out.path());
    }
  }

  @Override
  public String toString() {
    return "Minor delta compaction of %s, %d %s files starting at %d"
        .formatted(rowSet(), count, kind, first);
  }
}
