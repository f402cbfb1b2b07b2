package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.components.Liveness;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.rowset.DiskRowSetWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the files of one rowset: base data, an UNDO file if rows have earlier states, and a REDO
 * file if rows are deleted. Not thread-safe.
 */
public final class RowSetWriter implements AutoCloseable {
  /** The maximum size of buffered cells; a rowset may exceed its target size by this much. */
  public static final long BATCH_BYTES = 1 << 20;

  private final TabletEnvironment environment;
  private final NewFiles files;
  private final long id;
  private final Path basePath;
  private final BitSet deletedOrdinals = new BitSet();
  private final DiskRowSetWriter base;
  private @Nullable DeltaFileWriter undo;
  private @Nullable Path undoPath;
  private @Nullable DeltaFileWriter redo;
  private @Nullable Path redoPath;
  private boolean ended; // finished or closed

  /**
   * @param expectedRows an estimate for sizing; 0 if unknown
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

  /** The writer of the base data; owned by this writer. */
  public DiskRowSetWriter base() {
    return base;
  }

  /** Whether the rowset has reached its target size. */
  public boolean isFull() {
    return base.estimatedBytes() >= environment.options().rowSetBytes();
  }

  /** The writer of the UNDO file, created on the first call; owned by this writer. */
  public DeltaFileWriter undo() throws IOException {
    if (undo == null) {
      undoPath = files.create(FileNames.undo(id, files.newId()));
      undo = new DeltaFileWriter(environment, undoPath, DeltaFileWriter.Kind.UNDO);
    }
    return undo;
  }

  /**
   * The writer of the REDO file, for the deletion of the row, which is the row's last change.
   * Created on the first call; owned by this writer.
   *
   * @param ordinal ascending from call to call
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
    ended = true;
    return new WrittenRowSet(id, basePath, undoPath, redoPath, liveness);
  }

  private void finish(@Nullable DeltaFileWriter deltas) throws IOException {
    if (deltas != null) {
      environment.crashPoints().reach(CheckpointCrashPoints.BEFORE_DELTA_SYNC);
      deltas.finish();
    }
  }

  /** Closes open writers. Unfinished files remain on disk as garbage. */
  @Override
  @SuppressWarnings("try") // the resources are only closed
  public void close() throws IOException {
    if (ended) {
      return;
    }
    try (DiskRowSetWriter unfinishedBase = base;
        DeltaFileWriter unfinishedUndo = undo;
        DeltaFileWriter unfinishedRedo = redo) {
      ended = true;
    }
  }
}
