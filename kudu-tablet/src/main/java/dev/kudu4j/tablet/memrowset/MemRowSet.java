package dev.kudu4j.tablet.memrowset;

import dev.kudu4j.common.schema.Schema;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows that are not on disk yet, ordered by encoded key, each with a chain of mutations, newest
 * first.
 *
 * <p>One writer, any number of readers without locks; nothing is removed: a deleted row has a
 * DELETE at the head of its chain. A row remembers the schema (layout) under which it was inserted,
 * so a schema change costs nothing here.
 */
public final class MemRowSet implements AutoCloseable {
  /**
   * @param allocator shared; a named child is made of it
   */
  public MemRowSet(BufferAllocator allocator, int chunkBytes, Schema schema) {
    throw new UnsupportedOperationException("stub");
  }

  /** Rows inserted from now on have this schema. Writer only. */
  public void useSchema(Schema schema) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * The row of that key, deleted or not, as an address for {@link MemRow}; 0 when there is none.
   * Any thread.
   */
  public long find(byte[] key, int offset, int length) {
    throw new UnsupportedOperationException("stub");
  }

  /** Adds a row whose key is not there yet and returns its address. Writer only. */
  public long insert(byte[] key, int offset, int length, CellSource cells, long timestamp) {
    throw new UnsupportedOperationException("stub");
  }

  /** Appends a change to the row's chain and returns the mutation's address. Writer only. */
  public long mutate(
      long row, long timestamp, int sequence, byte[] change, int offset, int length) {
    throw new UnsupportedOperationException("stub");
  }

  /** Rows held, deleted ones included. */
  public long rowCount() {
    throw new UnsupportedOperationException("stub");
  }

  /** Off-heap bytes held. */
  public long bytes() {
    throw new UnsupportedOperationException("stub");
  }

  public long minTimestamp() {
    throw new UnsupportedOperationException("stub");
  }

  public long maxTimestamp() {
    throw new UnsupportedOperationException("stub");
  }

  /** The layouts rows were inserted with; {@link MemRow#layout} is an index into them. */
  public RowFormat format(int layout) {
    throw new UnsupportedOperationException("stub");
  }

  public Cursor cursor() {
    throw new UnsupportedOperationException("stub");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("stub");
  }

  /** Walks rows in key order. */
  public final class Cursor {
    private Cursor() {}

    /** Moves before the first row whose key is not below the given one. */
    public void seek(byte[] key, int offset, int length) {
      throw new UnsupportedOperationException("stub");
    }

    public boolean next() {
      throw new UnsupportedOperationException("stub");
    }

    /** The current row, an address for {@link MemRow}. */
    public long row() {
      throw new UnsupportedOperationException("stub");
    }
  }
}
