package dev.kudu4j.tablet.rowset;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
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
 * Writes a {@link ColumnFile}. Rows are appended in the order of their ordinals. {@link #finish}
 * makes the file durable. {@link #close} without {@link #finish} leaves an incomplete file that no
 * superblock references. Not thread-safe.
 */
public final class ColumnFileWriter implements AutoCloseable {
  private final BufferAllocator allocator;
  private final SealedFileWriter file;
  private final ColumnWriter[] columns;
  private long rowCount;
  private boolean closed;

  /**
   * @param columns the columns, with ids
   */
  public ColumnFileWriter(TabletEnvironment environment, Path path, Schema columns)
      throws IOException {
    if (!columns.hasIds()) {
      throw new IllegalArgumentException("Cannot write columns without ids: " + columns);
    }
    this.allocator = environment.allocator().newChildAllocator("writers", 0, Long.MAX_VALUE);
    try {
      this.file = new SealedFileWriter(environment, allocator, path, FileKind.COLUMNS);
    } catch (Throwable e) {
      allocator.close();
      throw e;
    }
    this.columns = new ColumnWriter[columns.columnCount()];
    for (int i = 0; i < this.columns.length; i++) {
      this.columns[i] =
          new ColumnWriter(columns.column(i), file, allocator, environment.options().pageBytes());
    }
  }

  /** Appends rows; the batch is borrowed and has the writer's columns. */
  public void append(ColumnBatch batch) throws IOException {
    for (int i = 0; i < columns.length; i++) {
      columns[i].append(batch.column(i), 0, batch.rowCount());
    }
    rowCount += batch.rowCount();
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
    file.finish(ColumnFile.footer(rowCount, indexes));
    close();
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
    try {
      file.close();
    } finally {
      allocator.close();
    }
  }
}
