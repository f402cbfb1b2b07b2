package dev.kudu4j.tablet.compaction;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.checkpoint.CheckpointSteps;
import dev.kudu4j.tablet.checkpoint.FileNames;
import dev.kudu4j.tablet.checkpoint.NewFiles;
import dev.kudu4j.tablet.checkpoint.WrittenRowSet;
import dev.kudu4j.tablet.components.Liveness;
import dev.kudu4j.tablet.delta.DeltaFileWriter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.memory.Scratch;
import dev.kudu4j.tablet.rewrite.RowHistories;
import dev.kudu4j.tablet.rowset.DiskRowSetWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes rows, given in key order, as rowsets that are rolled at the size of the options: base
 * data, what the rows were as UNDO, deletions that are the last word as REDO. Not thread-safe.
 */
final class RolledRowSets implements AutoCloseable {
  /** Cells that are gathered at most before a file gets them: it may be too large by as much. */
  private static final long BATCH_BYTES = 1 << 20;

  private final TabletEnvironment environment;
  private final NewFiles files;
  private final Schema schema;
  private final int batchRows;

  // Rows that are not in a file yet.
  private final ColumnBatch batch;
  private final Scratch keys;
  private final long[] keyAddresses;
  private final int[] keyLengths;
  private final long[] insertTimestamps;
  private int pending;

  private final List<WrittenRowSet> written = new ArrayList<>();
  private final BitSet deletedOrdinals = new BitSet();
  private long rowsOfWritten;
  private long rowSetId;
  private DiskRowSetWriter base;
  private Path basePath;
  private DeltaFileWriter undo;
  private Path undoPath;
  private DeltaFileWriter redo;
  private Path redoPath;

  RolledRowSets(
      TabletEnvironment environment, BufferAllocator allocator, NewFiles files, Schema schema) {
    this.environment = environment;
    this.files = files;
    this.schema = schema;
    this.batchRows = environment.options().batchRows();
    this.batch = new ColumnBatch(allocator, schema);
    this.keys = new Scratch(allocator);
    this.keyAddresses = new long[batchRows];
    this.keyLengths = new int[batchRows];
    this.insertTimestamps = new long[batchRows];
  }

  /** The next row's number among all rows of all rowsets. */
  long nextNumber() {
    return rowsOfWritten + nextOrdinal();
  }

  private long nextOrdinal() {
    return (base == null ? 0 : base.rowCount()) + pending;
  }

  /** Appends rows of an input's block, none of them ancient. */
  void append(MergeInput input, int from, int count) throws IOException {
    for (int done = 0; done < count; ) {
      int some = Math.min(count - done, batchRows - pending);
      appendCells(input, from + done, some);
      for (int row = from + done; row < from + done + some; row++) {
        appendHistory(input.histories(), row);
        appendKey(input, row, input.insertTimestamp(row));
      }
      done += some;
      writeIfFull();
    }
  }

  /**
   * Appends one row of an input's block with a history of its own.
   *
   * @param history of row 0
   */
  void append(MergeInput input, int row, long insertTimestamp, RowHistories history)
      throws IOException {
    appendCells(input, row, 1);
    appendHistory(history, 0);
    appendKey(input, row, insertTimestamp);
    writeIfFull();
  }

  private void appendCells(MergeInput input, int from, int count) throws IOException {
    if (base == null) {
      beginRowSet();
    }
    for (int i = 0; i < schema.columnCount(); i++) {
      batch.column(i).appendRange(input.batch().column(i), from, count);
    }
  }

  private void appendHistory(RowHistories histories, int row) throws IOException {
    if (histories.undoCount(row) > 0) {
      if (undo == null) {
        undoPath = files.create(FileNames.undo(rowSetId, files.newId()));
        undo = new DeltaFileWriter(environment, undoPath, DeltaFileWriter.Kind.UNDO);
      }
      histories.writeUndo(row, nextOrdinal(), undo);
    }
    if (histories.redoCount(row) > 0) {
      if (redo == null) {
        redoPath = files.create(FileNames.redo(rowSetId, files.newId()));
        redo = new DeltaFileWriter(environment, redoPath, DeltaFileWriter.Kind.REDO);
      }
      histories.writeRedo(row, nextOrdinal(), redo);
      deletedOrdinals.set(Math.toIntExact(nextOrdinal()));
    }
  }

  private void appendKey(MergeInput input, int row, long insertTimestamp) {
    int length = input.keyLength(row);
    long key = keys.allocate(length);
    Memory.copy(input.keyArray(), input.keyOffset(row), key, length);
    keyAddresses[pending] = key;
    keyLengths[pending] = length;
    insertTimestamps[pending] = insertTimestamp;
    pending++;
  }

  private void beginRowSet() throws IOException {
    rowSetId = files.newId();
    basePath = files.create(FileNames.base(rowSetId));
    base = new DiskRowSetWriter(environment, basePath, schema, 0);
    deletedOrdinals.clear();
  }

  private void writeIfFull() throws IOException {
    if (pending == batchRows || batch.bytes() >= BATCH_BYTES) {
      writeBatch();
      if (base.estimatedBytes() >= environment.options().rowSetBytes()) {
        finishRowSet();
      }
    }
  }

  private void writeBatch() throws IOException {
    batch.setRowCount(pending);
    base.append(batch, keyAddresses, keyLengths, insertTimestamps);
    batch.clear();
    keys.clear();
    pending = 0;
  }

  private void finishRowSet() throws IOException {
    Liveness liveness = new Liveness(base.rowCount());
    deletedOrdinals.stream().forEach(liveness::delete);
    rowsOfWritten += base.rowCount();
    environment.crashPoints().reach(CheckpointSteps.BEFORE_BASE_SYNC);
    base.finish();
    finish(undo);
    finish(redo);
    written.add(new WrittenRowSet(rowSetId, basePath, undoPath, redoPath, liveness));
    base = null;
    undo = null;
    undoPath = null;
    redo = null;
    redoPath = null;
  }

  private void finish(DeltaFileWriter deltas) throws IOException {
    if (deltas != null) {
      environment.crashPoints().reach(CheckpointSteps.BEFORE_DELTA_SYNC);
      deltas.finish();
    }
  }

  /** Writes what is left; all files are complete and synced. The rowsets come in key order. */
  List<WrittenRowSet> finish() throws IOException {
    if (pending > 0) {
      writeBatch();
    }
    if (base != null) {
      finishRowSet();
    }
    return written;
  }

  /** Releases what is open; files that are not finished are garbage. */
  @Override
  public void close() throws IOException {
    batch.close();
    keys.close();
    try (DiskRowSetWriter unfinishedBase = base;
        DeltaFileWriter unfinishedUndo = undo;
        DeltaFileWriter unfinishedRedo = redo) {
      base = null;
      undo = null;
      redo = null;
    }
  }
}
