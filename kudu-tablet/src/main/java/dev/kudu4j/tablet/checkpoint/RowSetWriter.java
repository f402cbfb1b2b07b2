package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.components.Liveness;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.rowset.DiskRowSetWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * The files of one rowset while they are written: base data, and what rows were as UNDO and
 * deletions as REDO where there is something of the kind. Not thread-safe.
 */
public final class RowSetWriter implements AutoCloseable {
  /** Cells that are gathered at most before a rowset gets them: it may be too large by as much. */
  public static final long BATCH_BYTES = 1 << 20;

  private final TabletEnvironment environment;
  private final NewFiles files;
  private final long id;
  private final Path basePath;
  private final BitSet deletedOrdinals = new BitSet();
  private DiskRowSetWriter base;
  private DeltaFileWriter undo;
  private Path undoPath;
  private DeltaFileWriter redo;
  private Path redoPath;

  /**
   * @param expectedRows a guess for sizing; 0 when not known
   */
  public RowSetWriter(
      TabletEnvironment environment, NewFiles files, Schema schema, long expectedRows)
      throws IOException {
    this.environment = environment;
    this.files = files;
    this.id = files.newId();
    this.basePath = files.create(FileNames.base(id));
    this.base = new DiskRowSetWriter(environment, basePath, schema, expectedRows);
  }

  /** The base data; stays this object's. */
  public DiskRowSetWriter base() {
    return base;
  }

  /** Whether it is as large as rowsets may be. */
  public boolean isFull() {
    return base.estimatedBytes() >= environment.options().rowSetBytes();
  }

  /** Where UNDO changes go, by ordinal; stays this object's. */
  public DeltaFileWriter undo() throws IOException {
    if (undo == null) {
      undoPath = files.create(FileNames.undo(id, files.newId()));
      undo = new DeltaFileWriter(environment, undoPath, DeltaFileWriter.Kind.UNDO);
    }
    return undo;
  }

  /**
   * Where the deletion of this row goes, which is its last word; stays this object's.
   *
   * @param ordinal rises from call to call
   */
  public DeltaFileWriter deletionOf(long ordinal) throws IOException {
    if (redo == null) {
      redoPath = files.create(FileNames.redo(id, files.newId()));
      redo = new DeltaFileWriter(environment, redoPath, DeltaFileWriter.Kind.REDO);
    }
    deletedOrdinals.set(Math.toIntExact(ordinal));
    return redo;
  }

  /** Completes and syncs the files. */
  public WrittenRowSet finish() throws IOException {
    Liveness liveness = new Liveness(base.rowCount());
    deletedOrdinals.stream().forEach(liveness::delete);
    environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_BASE_SYNC);
    base.finish();
    finish(undo);
    finish(redo);
    base = null;
    undo = null;
    redo = null;
    return new WrittenRowSet(id, basePath, undoPath, redoPath, liveness);
  }

  private void finish(DeltaFileWriter deltas) throws IOException {
    if (deltas != null) {
      environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_DELTA_SYNC);
      deltas.finish();
    }
  }

  /** Releases what is open; files that are not finished are garbage. */
  @Override
  public void close() throws IOException {
    try (DiskRowSetWriter unfinishedBase = base;
        DeltaFileWriter unfinishedUndo = undo;
        DeltaFileWriter unfinishedRedo = redo) {
      base = null;
      undo = null;
      redo = null;
    }
  }
}
