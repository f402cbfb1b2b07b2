package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.cfile.ColumnIndex;
import dev.kudu4j.tablet.cfile.ColumnWriter;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes the base data of one rowset. Rows are appended in ascending key order. {@link #finish}
 * makes the file durable. {@link #close} without {@link #finish} leaves an incomplete file that no
 * superblock references. Not thread-safe.
 */
public final class DiskRowSetWriter implements AutoCloseable {
  private final BufferAllocator allocator;
  private final Schema schema;
  private final SealedFileWriter file;
  private final ColumnWriter[] columns;
  private final ColumnWriter timestamps;
  private final ColumnVector timestampCells;
  private final KeyIndexWriter keys;

  private long rowCount;
  private long minTimestamp = Long.MAX_VALUE;
  private long maxTimestamp;
  private boolean closed;

  /**
   * @param schema columns with ids, in the table's order
   * @param expectedRows an estimate; currently unused, because the size of a Bloom chunk depends on
   *     its actual number of keys
   */
  public DiskRowSetWriter(
      TabletEnvironment environment, Path path, Schema schema, long expectedRows)
      throws IOException {
    if (!schema.hasIds()) {
      throw new IllegalArgumentException("Cannot write columns without ids: " + schema);
    }
    this.schema = schema;
    this.allocator = environment.allocator().newChildAllocator("writers", 0, Long.MAX_VALUE);
    try {
      this.file = new SealedFileWriter(environment, allocator, path, FileKind.BASE_DATA);
    } catch (Throwable e) {
      allocator.close();
      throw e;
    }
    int pageBytes = environment.options().pageBytes();
    this.columns = new ColumnWriter[schema.columnCount()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = new ColumnWriter(schema.column(i), file, allocator, pageBytes);
    }
    ColumnSchema pseudo = BaseDataFooter.INSERT_TIMESTAMP;
    this.timestamps = new ColumnWriter(pseudo, file, allocator, pageBytes);
    this.timestampCells = new ColumnVector(allocator, DataType.INT64, false);
    this.keys = new KeyIndexWriter(file, allocator);
  }

  /**
   * Appends rows.
   *
   * @param batch the rows; borrowed
   * @param keyAddresses the addresses of the rows' encoded keys
   * @param keyLengths the lengths of the rows' encoded keys
   * @param insertTimestamps the hybrid time of each row's insertion
   * @throws IllegalArgumentException if a key is not above the previous one
   */
  public void append(
      ColumnBatch batch, long[] keyAddresses, int[] keyLengths, long[] insertTimestamps)
      throws IOException {
    int rows = batch.rowCount();
    for (int row = 0; row < rows; row++) {
      keys.append(keyAddresses[row], keyLengths[row]);
    }
    for (int i = 0; i < columns.length; i++) {
      columns[i].append(batch.column(i), 0, rows);
    }
    appendTimestamps(insertTimestamps, rows);
    rowCount += rows;
  }

  private void appendTimestamps(long[] insertTimestamps, int rows) throws IOException {
    timestampCells.clear();
    timestampCells.reserve(rows, 0);
    long to = timestampCells.dataAddress();
    for (int row = 0; row < rows; row++) {
      long timestamp = insertTimestamps[row];
      Memory.putLong(to + 8L * row, timestamp);
      minTimestamp = Math.min(minTimestamp, timestamp);
      maxTimestamp = Math.max(maxTimestamp, timestamp);
    }
    timestampCells.advance(rows, 0);
    timestamps.append(timestampCells, 0, rows);
  }

  public long rowCount() {
    return rowCount;
  }

  /** An estimate of the file's size. The caller uses it to decide when to start the next rowset. */
  public long estimatedBytes() {
    long bytes = file.position() + timestamps.bufferedBytes() + keys.bufferedBytes();
    for (ColumnWriter column : columns) {
      bytes += column.bufferedBytes();
    }
    return bytes;
  }

  /**
   * Writes the last pages and the footer, then syncs and closes the file. The caller syncs the
   * directory.
   */
  public void finish() throws IOException {
    List<ColumnIndex> indexes = new ArrayList<>(columns.length);
    for (ColumnWriter column : columns) {
      indexes.add(column.finish());
    }
    ColumnIndex timestampIndex = timestamps.finish();
    KeyIndex keyIndex = keys.finish();
    BaseDataFooter footer =
        new BaseDataFooter(
            rowCount,
            rowCount == 0 ? 0 : minTimestamp,
            maxTimestamp,
            timestampIndex,
            indexes,
            keyIndex);
    file.finish(footer.toByteArray());
    close();
  }

  public Schema schema() {
    return schema;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    for (ColumnWriter column : columns) {
      column.close();
    }
    timestamps.close();
    timestampCells.close();
    keys.close();
    try {
      file.close();
    } finally {
      allocator.close();
    }
  }
}
