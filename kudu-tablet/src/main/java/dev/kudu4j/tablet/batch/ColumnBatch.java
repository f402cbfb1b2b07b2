package dev.kudu4j.tablet.batch;

import dev.kudu4j.common.schema.Schema;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows of a schema, a {@link ColumnVector} per column. Owned by whoever made it. Not thread-safe.
 */
public final class ColumnBatch implements AutoCloseable {
  public ColumnBatch(BufferAllocator allocator, Schema schema) {
    throw new UnsupportedOperationException("stub");
  }

  public Schema schema() {
    throw new UnsupportedOperationException("stub");
  }

  /** Rows; also right when there are no columns. */
  public int rowCount() {
    throw new UnsupportedOperationException("stub");
  }

  public void setRowCount(int rows) {
    throw new UnsupportedOperationException("stub");
  }

  public ColumnVector column(int index) {
    throw new UnsupportedOperationException("stub");
  }

  public long bytes() {
    throw new UnsupportedOperationException("stub");
  }

  public void clear() {
    throw new UnsupportedOperationException("stub");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("stub");
  }
}
