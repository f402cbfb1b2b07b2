package dev.kudu4j.tablet.btree;

import dev.kudu4j.tablet.memory.Arena;

/**
 * A B+tree from byte keys (unsigned order, a prefix first) to non-zero 8-byte values, off heap,
 * with linked leaves.
 *
 * <p>One writer; any number of readers, which take no lock and validate node versions. Nothing is
 * ever removed, and a key's value never changes.
 */
public final class OffHeapBTree {
  public OffHeapBTree(Arena arena) {
    throw new UnsupportedOperationException("stub");
  }

  /** The value of the key, or 0. Any thread. */
  public long get(byte[] key, int offset, int length) {
    throw new UnsupportedOperationException("stub");
  }

  /** Adds the key unless it is there; returns 0, or the value that it already has. Writer only. */
  public long putIfAbsent(byte[] key, int offset, int length, long value) {
    throw new UnsupportedOperationException("stub");
  }

  public long count() {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * A cursor before the first key. Sees every key that was there when it was made or sought,
   * perhaps later ones.
   */
  public Cursor cursor() {
    throw new UnsupportedOperationException("stub");
  }

  /** Walks keys in ascending order. Not thread-safe; concurrent with the writer. */
  public final class Cursor {
    private Cursor() {}

    /** Moves before the first key that is not below the given one. */
    public void seek(byte[] key, int offset, int length) {
      throw new UnsupportedOperationException("stub");
    }

    /** Moves to the next key; false at the end. */
    public boolean next() {
      throw new UnsupportedOperationException("stub");
    }

    public long value() {
      throw new UnsupportedOperationException("stub");
    }

    /** Where the current key's bytes lie; immutable, valid as long as the arena. */
    public long keyAddress() {
      throw new UnsupportedOperationException("stub");
    }

    public int keyLength() {
      throw new UnsupportedOperationException("stub");
    }
  }
}
