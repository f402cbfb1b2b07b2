package dev.kudu4j.tablet.compaction;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.checkpoint.NewFiles;
import dev.kudu4j.tablet.checkpoint.RowSetWriter;
import dev.kudu4j.tablet.checkpoint.WrittenRowSet;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.memory.Scratch;
import dev.kudu4j.tablet.rewrite.RowHistories;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows in key order to rowsets of the configured size: base data, earlier states as UNDO,
 * deletions of dead rows as REDO. Not thread-safe.
 */
final class RollingRowSetWriter implements AutoCloseable {
  private final TabletEnvironment environment;
  private final NewFiles files;
  private final Schema schema;
  private final int batchRows;

  // Rows that are not yet in a file.
  private final ColumnBatch batch;
  private final Scratch keys;
  private final long[] keyAddresses;
  private final int[] keyLengths;
  private final long[] insertTimestamps;
  private int pending;

  private final List<WrittenRowSet> written = new ArrayList<>();
  private long rowsOfWritten;
  private @Nullable RowSetWriter rowSet; // null before its first row

  RollingRowSetWriter(
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

  /** The number of the next row, counted over all rowsets. */
  long nextNumber() {
    return rowsOfWritten + nextOrdinal();
  }

  private long nextOrdinal() {
    return (rowSet == null ? 0 : rowSet.base().rowCount()) + pending;
  }

  /**
   * Appends rows of an input's block. No row may be ancient ({@link CompactionInput#isAncient}).
   */
  void append(CompactionInput input, int from, int count) throws IOException {
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
   * Appends one row of an input's block with a separate history.
   *
   * @param history the row's history, stored as the history of row 0
   */
  void append(CompactionInput input, int row, long insertTimestamp, RowHistories history)
      throws IOException {
    appendCells(input, row, 1);
    appendHistory(history, 0);
    appendKey(input, row, insertTimestamp);
    writeIfFull();
  }

  private RowSetWriter open() throws IOException {
    if (rowSet == null) {
      rowSet = new RowSetWriter(environment, files, schema, 0);
    }
    return rowSet;
  }

  private void appendCells(CompactionInput input, int from, int count) {
    for (int i = 0; i < schema.columnCount(); i++) {
      batch.column(i).appendRange(input.batch().column(i), from, count);
    }
  }

  private void appendHistory(RowHistories histories, int row) throws IOException {
    if (histories.undoCount(row) > 0) {
      histories.writeUndo(row, nextOrdinal(), open().undo());
    }
    if (histories.redoCount(row) > 0) {
      histories.writeRedo(row, nextOrdinal(), open().deletionOf(nextOrdinal()));
    }
  }

  private void appendKey(CompactionInput input, int row, long insertTimestamp) {
    int length = input.keyLength(row);
    long key = keys.allocate(length);
    Memory.copy(input.keyArray(), input.keyOffset(row), key, length);
    keyAddresses[pending] = key;
    keyLengths[pending] = length;
    insertTimestamps[pending] = insertTimestamp;
    pending++;
  }

  private void writeIfFull() throws IOException {
    if (pending == batchRows || batch.bytes() >= RowSetWriter.BATCH_BYTES) {
      RowSetWriter filled = writeBatch();
      if (filled.isFull()) {
        finish(filled);
      }
    }
  }

  private RowSetWriter writeBatch() throws IOException {
    RowSetWriter into = open();
    batch.setRowCount(pending);
    into.base().append(batch, keyAddresses, keyLengths, insertTimestamps);
    batch.clear();
    keys.clear();
    pending = 0;
    return into;
  }

  private void finish(RowSetWriter full) throws IOException {
    rowsOfWritten += full.base().rowCount();
    written.add(full.finish());
    rowSet = null;
  }

  /**
   * Writes the remaining rows, and completes and syncs all files. Returns the rowsets in key order.
   */
  List<WrittenRowSet> finish() throws IOException {
    if (pending > 0) {
      writeBatch();
    }
    if (rowSet != null) {
      finish(rowSet);
    }
    return written;
  }

  /** Closes open writers. Unfinished files remain on disk as garbage. */
  @Override
  public void close() throws IOException {
    batch.close();
    keys.close();
    if (rowSet != null) {
      rowSet.close();
    }
  }
}
