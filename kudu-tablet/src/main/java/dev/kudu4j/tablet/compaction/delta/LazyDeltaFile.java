package dev.kudu4j.tablet.compaction.delta;

import dev.kudu4j.tablet.checkpoint.FileNames;
import dev.kudu4j.tablet.checkpoint.NewFiles;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A delta file that is created when its first change is appended. */
final class LazyDeltaFile implements AutoCloseable {
  private final TabletEnvironment environment;
  private final NewFiles files;
  private final long rowSetId;
  private final DeltaFileWriter.Kind kind;
  private @Nullable Path path; // null before the first change, as is the writer
  private @Nullable DeltaFileWriter writer;

  LazyDeltaFile(
      TabletEnvironment environment, NewFiles files, long rowSetId, DeltaFileWriter.Kind kind) {
    this.environment = environment;
    this.files = files;
    this.rowSetId = rowSetId;
    this.kind = kind;
  }

  void append(long ordinal, long entry) throws IOException {
    if (writer == null) {
      long id = files.newId();
      boolean redo = kind == DeltaFileWriter.Kind.REDO;
      path = files.create(redo ? FileNames.redo(rowSetId, id) : FileNames.undo(rowSetId, id));
      writer = new DeltaFileWriter(environment, path, kind);
    }
    writer.appendEntry(ordinal, entry);
  }

  /** The writer of the file; null before the first change. */
  @Nullable DeltaFileWriter writer() {
    return writer;
  }

  /** The path of the file; called only after the first change. */
  Path path() {
    assert path != null : "no change was appended";
    return path;
  }

  @Override
  public void close() throws IOException {
    if (writer != null) {
      writer.close();
    }
  }
}
