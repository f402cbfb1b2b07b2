package dev.kudu4j.tablet.unique;

import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import org.jspecify.annotations.Nullable;

/** Where the row is that a write changes. Reusable. */
public final class RowPlace {
  private @Nullable Object store; // null for a row that does not exist yet
  private long row;
  private boolean known;

  /** A row that does not exist. */
  public void setNone() {
    place(null, 0);
  }

  /** A row in memory, by its address. */
  public void set(MemRowSet memory, long address) {
    place(memory, address);
  }

  /** A row on disk, by its ordinal. */
  public void set(DiskRowSet disk, long ordinal) {
    place(disk, ordinal);
  }

  private void place(@Nullable Object newStore, long newRow) {
    store = newStore;
    row = newRow;
  }

  @Nullable Object store() {
    return store;
  }

  long row() {
    return row;
  }

  @SuppressWarnings("ReferenceEquality") // stores have no equals
  boolean is(Object otherStore, long otherRow) {
    return store == otherStore && row == otherRow;
  }

  void clearKnown() {
    known = false;
  }

  /** The value is noted for this row already. */
  void setKnown() {
    known = true;
  }

  boolean isKnown() {
    return known;
  }
}
