package dev.kudu4j.tablet.apply;

import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.RowChangeBuilder;
import dev.kudu4j.tablet.memrowset.CellSource;
import dev.kudu4j.tablet.memrowset.MemRowSet;

/**
 * Changes one row at the location that a {@link RowLocator} found. The caller holds the writer
 * lock.
 */
final class RowMutator {
  private final AppliedState state;
  private long timestamp;

  RowMutator(AppliedState state) {
    this.state = state;
  }

  /** Sets the timestamp of the following changes. */
  void begin(long requestTimestamp) {
    timestamp = requestTimestamp;
  }

  /**
   * Inserts a row. The locator has just searched for its key and not found it in the active
   * MemRowSet.
   *
   * @return the address of the row
   */
  long insert(KeySlice key, CellSource cells) {
    long row = active().insert(key.array(), key.offset(), key.length(), cells, timestamp);
    state.addLiveRows(1);
    return row;
  }

  /** Reinserts a row that is deleted in the active MemRowSet. */
  void reinsert(RowLocator at, int sequence, RowChangeBuilder change) {
    active().mutate(at.row(), timestamp, sequence, change.array(), 0, change.length());
    state.addLiveRows(1);
  }

  void update(RowLocator at, int sequence, RowChangeBuilder change) {
    append(at, sequence, change);
  }

  void delete(RowLocator at, int sequence, RowChangeBuilder change) {
    append(at, sequence, change);
    if (at.location() == RowLocator.Location.DISK) {
      at.rowSet().liveness().delete(at.ordinal());
    }
    state.addLiveRows(-1);
  }

  private void append(RowLocator at, int sequence, RowChangeBuilder change) {
    switch (at.location()) {
      case ACTIVE ->
          active().mutate(at.row(), timestamp, sequence, change.array(), 0, change.length());
      case FROZEN -> appendToFrozen(at.row(), sequence, change);
      case DISK -> appendToDisk(at.rowSet(), at.ordinal(), sequence, change);
      case ABSENT, ACTIVE_DELETED ->
          throw new IllegalStateException("No live row to change: " + at.location());
    }
  }

  private void appendToFrozen(long row, int sequence, RowChangeBuilder change) {
    MemRowSet frozen = state.components().get().frozenMemRowSet();
    MissedMutations changes = state.frozenChanges();
    assert frozen != null && changes != null : "a checkpoint writes the frozen MemRowSet";
    long mutation = frozen.mutate(row, timestamp, sequence, change.array(), 0, change.length());
    changes.add(row, mutation);
  }

  private void appendToDisk(
      DiskRowSet rowSet, long ordinal, int sequence, RowChangeBuilder change) {
    rowSet.activeDeltas().add(ordinal, timestamp, sequence, change.array(), 0, change.length());
    MissedDeltas changes = state.rowSetChanges();
    if (changes != null) {
      changes.add(rowSet, ordinal);
    }
  }

  private MemRowSet active() {
    return state.components().get().activeMemRowSet();
  }
}
