package dev.kudu4j.tablet.delta;

import org.apache.arrow.memory.BufferAllocator;

/**
 * Changes of one DiskRowSet's rows that are not on disk yet: a chain of {@link Mutation}s per
 * ordinal, newest first.
 *
 * <p>One writer, any number of readers without locks. Off-heap memory is released by {@link
 * #close}; the rowset that owns the store says when no reader is left.
 */
public final class DeltaMemStore implements AutoCloseable {
  /**
   * @param allocator shared; a named child is made of it
   */
  public DeltaMemStore(BufferAllocator allocator, int chunkBytes) {
    throw new UnsupportedOperationException("stub");
  }

  /** Appends a change. Timestamps and sequences of an ordinal only rise. Writer only. */
  public void add(
      long ordinal, long timestamp, int sequence, byte[] change, int offset, int length) {
    throw new UnsupportedOperationException("stub");
  }

  /** The newest mutation of the row, or 0. Any thread. */
  public long newest(long ordinal) {
    throw new UnsupportedOperationException("stub");
  }

  /** Changes held. */
  public long count() {
    throw new UnsupportedOperationException("stub");
  }

  public boolean isEmpty() {
    return count() == 0;
  }

  /** Off-heap bytes held. */
  public long bytes() {
    throw new UnsupportedOperationException("stub");
  }

  /** Lowest timestamp held, or Long.MAX_VALUE. */
  public long minTimestamp() {
    throw new UnsupportedOperationException("stub");
  }

  /** Highest timestamp held, or 0. */
  public long maxTimestamp() {
    throw new UnsupportedOperationException("stub");
  }

  public Cursor cursor() {
    throw new UnsupportedOperationException("stub");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("stub");
  }

  /** Walks changed rows by ordinal. */
  public final class Cursor {
    private Cursor() {}

    /** Moves before the first changed row at or above the ordinal. */
    public void seek(long ordinal) {
      throw new UnsupportedOperationException("stub");
    }

    public boolean next() {
      throw new UnsupportedOperationException("stub");
    }

    public long ordinal() {
      throw new UnsupportedOperationException("stub");
    }

    /** The newest mutation of the row, read now. */
    public long newest() {
      throw new UnsupportedOperationException("stub");
    }
  }
}
