package dev.kudu4j.tablet.unique;

import dev.kudu4j.tablet.index.IndexValue;
import dev.kudu4j.tablet.memory.ValuesByHash;
import java.io.IOException;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The values that rows of one store have or had, as far as no index file has them: a superset, so
 * each row that is found is read before it counts. Writer only.
 */
abstract class StoreValues implements AutoCloseable {
  /** What is known about a row that was found by the hash of a value. */
  private enum Match {
    /** The row is live and has the value. */
    EQUAL,
    /** The row is live and has another value with the same hash. */
    SAME_HASH,
    /** The row is deleted, or has a value with another hash now. */
    STALE
  }

  private final CurrentRows rows;
  private final ValuesByHash byHash;
  private final IndexValue current;

  /** A stale slot with the hash of the last search, which a new row may take; or none. */
  private int staleSlot = ValuesByHash.NONE;

  StoreValues(BufferAllocator allocator, CurrentRows rows) {
    this.rows = rows;
    this.byHash = new ValuesByHash(allocator);
    this.current = new IndexValue(rows.types());
  }

  /** The MemRowSet, or the DiskRowSet. */
  abstract Object store();

  abstract boolean isLive(long row);

  /** Reads live rows, ascending on disk. */
  abstract void read(CurrentRows reader, long[] wanted) throws IOException;

  /** Adds the values of the rows that exist, as far as no file has them. */
  abstract void load() throws IOException;

  /** Adds the values of rows; those that are deleted are left out. */
  final void load(long[] found) throws IOException {
    long[] live = Arrays.stream(found).filter(this::isLive).toArray();
    for (int from = 0; from < live.length; from += CurrentRows.MAX_ROWS) {
      long[] some =
          Arrays.copyOfRange(live, from, Math.min(live.length, from + CurrentRows.MAX_ROWS));
      read(rows, some);
      for (int i = 0; i < some.length; i++) {
        rows.value(i, current);
        if (current.isComplete()) {
          byHash.add(current.hash(), some[i]);
        }
      }
    }
  }

  /**
   * Whether a live row has the value.
   *
   * @param self the row that the value is for, which does not count
   */
  boolean isTaken(IndexValue value, long hash, RowPlace self) throws IOException {
    staleSlot = ValuesByHash.NONE;
    for (int slot = byHash.first(hash); slot != ValuesByHash.NONE; slot = byHash.next(hash, slot)) {
      long row = byHash.value(slot);
      if (self.is(store(), row)) {
        self.setKnown();
        continue;
      }
      Match match = match(row, value, hash);
      if (match == Match.EQUAL) {
        return true;
      }
      if (match == Match.STALE) {
        staleSlot = slot;
      }
    }
    return false;
  }

  private Match match(long row, IndexValue value, long hash) throws IOException {
    if (!isLive(row)) {
      return Match.STALE;
    }
    read(rows, new long[] {row});
    rows.value(0, current);
    if (current.isEqual(value)) {
      return Match.EQUAL;
    }
    return current.isComplete() && current.hash() == hash ? Match.SAME_HASH : Match.STALE;
  }

  /** Whether the row, which an index file names, has the value still. */
  final boolean hasStill(long row, IndexValue value, long hash) throws IOException {
    return match(row, value, hash) == Match.EQUAL;
  }

  /** Adds a row that has the value of the last search from now on. */
  final void add(long hash, long row) {
    if (staleSlot == ValuesByHash.NONE) {
      byHash.add(hash, row);
    } else {
      byHash.replace(staleSlot, row);
      staleSlot = ValuesByHash.NONE;
    }
  }

  /** The number of rows that are in memory. */
  final int count() {
    return byHash.count();
  }

  @Override
  public void close() {
    byHash.close();
  }
}
