package dev.kudu4j.tablet.batch;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows of a schema, with one {@link ColumnVector} per column. Owned by its creator. Not
 * thread-safe.
 */
public final class ColumnBatch implements AutoCloseable {
  private final Schema schema;
  private final ColumnVector[] columns;
  private int rowCount;

  /**
   * @param allocator not closed by the batch; nothing is allocated before the first row
   */
  public ColumnBatch(BufferAllocator allocator, Schema schema) {
    this.schema = schema;
    this.columns = new ColumnVector[schema.columnCount()];
    for (int i = 0; i < columns.length; i++) {
      ColumnSchema column = schema.column(i);
      columns[i] = new ColumnVector(allocator, column.type(), column.isNullable());
    }
  }

  public Schema schema() {
    return schema;
  }

  /** The row count; also valid for a batch without columns. */
  public int rowCount() {
    return columns.length == 0 ? rowCount : columns[0].rowCount();
  }

  /** Sets the row count after every column has been filled. */
  public void setRowCount(int rows) {
    for (ColumnVector column : columns) {
      assert column.rowCount() == rows
          : "A column of " + column.rowCount() + " rows in a batch of " + rows;
    }
    rowCount = rows;
  }

  public ColumnVector column(int index) {
    return columns[index];
  }

  /** The bytes in use in all columns. */
  public long bytes() {
    long bytes = 0;
    for (ColumnVector column : columns) {
      bytes += column.bytes();
    }
    return bytes;
  }

  /** Removes all rows and keeps the memory that is not shared. */
  public void clear() {
    rowCount = 0;
    for (ColumnVector column : columns) {
      column.clear();
    }
  }

  @Override
  public void close() {
    rowCount = 0;
    for (ColumnVector column : columns) {
      column.close();
    }
  }
}
