package dev.kudu4j.tablet.components;

import java.util.Arrays;

/**
 * The deleted rows of a DiskRowSet in the latest state. The writer uses it to decide whether a key
 * exists. Readers at a snapshot use the deltas instead.
 *
 * <p>One writer; any thread may read {@link #deletedCount}. All {@link DiskRowSet} objects of the
 * rowset share this object.
 */
public final class Liveness {
  private static final long[] NONE = new long[0];

  private final long rowCount;
  private long[] deleted = NONE;
  private volatile long deletedCount;

  public Liveness(long rowCount) {
    this.rowCount = rowCount;
  }

  /** Writer only. */
  public boolean isDeleted(long ordinal) {
    int word = (int) (ordinal >>> 6);
    return word < deleted.length && (deleted[word] & 1L << ordinal) != 0;
  }

  /** Writer only. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void delete(long ordinal) {
    assert ordinal >= 0 && ordinal < rowCount;
    if (isDeleted(ordinal)) {
      return;
    }
    int word = (int) (ordinal >>> 6);
    if (word >= deleted.length) {
      long words = (rowCount + 63) >>> 6;
      deleted = Arrays.copyOf(deleted, (int) Math.min(words, Math.max(word + 1L, words / 4)));
      deleted = word >= deleted.length ? Arrays.copyOf(deleted, (int) words) : deleted;
    }
    deleted[word] |= 1L << ordinal;
    deletedCount++;
  }

  /** Writer only. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void reinsert(long ordinal) {
    assert ordinal >= 0 && ordinal < rowCount;
    if (isDeleted(ordinal)) {
      deleted[(int) (ordinal >>> 6)] &= ~(1L << ordinal);
      deletedCount--;
    }
  }

  public long rowCount() {
    return rowCount;
  }

  public long deletedCount() {
    return deletedCount;
  }

  public long liveCount() {
    return rowCount - deletedCount;
  }
}
