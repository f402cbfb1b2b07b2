package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.memrowset.MemRow;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import dev.kudu4j.tablet.rewrite.HistorySink;
import dev.kudu4j.tablet.rewrite.MutationList;
import dev.kudu4j.tablet.rewrite.MutationSource;
import dev.kudu4j.tablet.rewrite.RollForward;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a frozen MemRowSet in key order as DiskRowSets of the configured size.
 *
 * <p>Base data is the state of each row at the boundary, so a frequently updated row is written
 * once. The row's insert timestamp is that of its first insert. Earlier states go to an UNDO file;
 * the deletion of a dead row goes to a REDO file. The carry-over handles changes after the
 * boundary, which arrive concurrently.
 */
final class MemRowSetWriter implements MutationSource, HistorySink, AutoCloseable {
  private final TabletEnvironment environment;
  private final NewFiles files;
  private final MemRowSet rows;
  private final Schema schema;
  private final FrozenChanges changes;

  private final long[] batchRows;
  private final long[] keyAddresses;
  private final int[] keyLengths;
  private final long[] insertTimestamps;
  private final ColumnBatch batch;
  private final RowDecoder decoder;
  private final RollForward rollForward;
  private final List<WrittenRowSet> written = new ArrayList<>();

  private @Nullable RowSetWriter rowSet; // null before its first row

  /** The ordinal of the batch's first row. */
  private long firstOrdinal;

  /**
   * @param rows frozen: no rows are added
   * @param schema columns of the new rowsets
   * @param changes of the rows, up to the boundary
   * @param ancientHistoryMark history below it is not written
   */
  MemRowSetWriter(
      TabletEnvironment environment,
      NewFiles files,
      MemRowSet rows,
      Schema schema,
      FrozenChanges changes,
      long ancientHistoryMark) {
    this.environment = environment;
    this.files = files;
    this.rows = rows;
    this.schema = schema;
    this.changes = changes;
    int capacity = batchCapacity(environment.options().batchRows());
    this.batchRows = new long[capacity];
    this.keyAddresses = new long[capacity];
    this.keyLengths = new int[capacity];
    this.insertTimestamps = new long[capacity];
    this.decoder = new RowDecoder(rows, schema);
    this.rollForward = RollForward.ofRows(environment.allocator(), schema, ancientHistoryMark);
    this.batch = new ColumnBatch(environment.allocator(), schema);
  }

  /** The number of rows per batch: {@code max}, or fewer if rows are wide. */
  private int batchCapacity(int max) {
    long rowBytes = Math.max(1, rows.bytes() / Math.max(1, rows.rowCount()));
    return (int) Math.max(1, Math.min(max, RowSetWriter.BATCH_BYTES / rowBytes));
  }

  /** Writes all rows; returns the rowsets in key order. */
  List<WrittenRowSet> write() throws IOException {
    MemRowSet.Cursor cursor = rows.cursor();
    int count;
    while ((count = gather(cursor)) > 0) {
      if (rowSet == null) {
        rowSet = new RowSetWriter(environment, files, schema, rows.rowCount());
      }
      writeBatch(rowSet, count);
      if (rowSet.isFull()) {
        finish(rowSet);
      }
    }
    if (rowSet != null) {
      finish(rowSet);
    }
    return written;
  }

  /**
   * Collects the addresses of a batch's rows before it reads the row headers. Each header read
   * causes a CPU cache miss; because the reads in the loop are independent, their cache misses
   * overlap.
   */
  private int gather(MemRowSet.Cursor cursor) {
    int count = 0;
    while (count < batchRows.length && cursor.next()) {
      batchRows[count++] = cursor.row();
    }
    for (int i = 0; i < count; i++) {
      long row = batchRows[i];
      keyAddresses[i] = MemRow.keyAddress(row);
      keyLengths[i] = MemRow.keyLength(row);
      insertTimestamps[i] = MemRow.insertTimestamp(row);
    }
    return count;
  }

  private void writeBatch(RowSetWriter into, int count) throws IOException {
    firstOrdinal = into.base().rowCount();
    batch.clear();
    decoder.decode(batchRows, count, batch);
    rollForward.roll(batch, this, this);
    into.base().append(batch, keyAddresses, keyLengths, insertTimestamps);
  }

  @Override
  public void addRedo(int row, MutationList out) {
    long mutation = changes.newest(MemRow.newestMutation(batchRows[row]));
    for (; mutation != 0; mutation = Mutation.next(mutation)) {
      out.add(mutation);
    }
  }

  @Override
  public void addUndo(int row, MutationList out) {
    // A row in memory is in its inserted state, so there is nothing to undo.
  }

  @Override
  public void undo(int row, long entry) throws IOException {
    assert rowSet != null : "a batch is written to a rowset";
    rowSet.undo().appendEntry(firstOrdinal + row, entry);
  }

  @Override
  public void redo(int row, long entry) throws IOException {
    assert rowSet != null : "a batch is written to a rowset";
    rowSet.deletionOf(firstOrdinal + row).appendEntry(firstOrdinal + row, entry);
  }

  private void finish(RowSetWriter full) throws IOException {
    written.add(full.finish());
    rowSet = null;
  }

  /** Closes open writers. Unfinished files remain on disk as garbage. */
  @Override
  public void close() throws IOException {
    batch.close();
    rollForward.close();
    if (rowSet != null) {
      rowSet.close();
    }
  }
}
