package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.env.TabletEnvironment;
import org.apache.arrow.memory.OutOfMemoryException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Freezes a tablet's stores at the boundaries of its epochs, so that the tablets of several tables
 * have checkpoints at the same timestamps.
 *
 * <pre>
 *   entries      e1 e2 e3 | e4 e5                     e4 is the first with a timestamp at or above the boundary
 *   writer                freeze                      under the writer lock; nothing is written
 *   maintenance               begin, write, swap, end    a checkpoint of e1 to e3
 * </pre>
 *
 * <p>A boundary is skipped while an update of the files runs, and while frozen stores wait for one,
 * because the stores are frozen at one log position at a time. It is also skipped if nothing is in
 * memory, or if there is no memory for new stores. Nothing but the cost of scans depends on it.
 *
 * <p>Guarded by the writer lock. {@link StoreUpdater} alone begins and ends updates.
 */
final class BoundaryFreeze {
  private static final Logger LOG = LoggerFactory.getLogger(BoundaryFreeze.class);

  private final TabletEnvironment environment;
  private final AppliedState state;

  /** Whether an update runs, a failed checkpoint must be repeated, or the tablet is closed. */
  private boolean blocked;

  /** The stores frozen at a boundary, until an update begins; null if there are none. */
  private @Nullable FrozenState frozen;

  BoundaryFreeze(TabletEnvironment environment, AppliedState state) {
    this.environment = environment;
    this.state = state;
  }

  /** Freezes the stores, unless the boundary must be skipped. Requires the writer lock. */
  void freeze() {
    if (blocked || frozen != null || isMemoryEmpty(state.components().get())) {
      return;
    }
    try {
      frozen = FrozenState.take(state, environment);
    } catch (OutOfMemoryException | OutOfMemoryError e) {
      frozen = null; // maintenance frees memory by a flush, at any position
      LOG.warn(
          "Tablet {}: no memory to freeze its stores at the boundary of an epoch",
          state.descriptor().tabletId(),
          e);
    }
  }

  private static boolean isMemoryEmpty(Components now) {
    return now.oldestInMemory() == Long.MAX_VALUE;
  }

  /**
   * An update of the files begins; boundaries are skipped until {@link #end}.
   *
   * @return the stores that were frozen at a boundary, which the caller takes over; or null
   */
  @Nullable FrozenState begin() {
    state.writerLock().lock();
    try {
      FrozenState taken = frozen;
      frozen = null;
      blocked = true;
      return taken;
    } finally {
      state.writerLock().unlock();
    }
  }

  /**
   * The update has ended.
   *
   * @param unfinished whether frozen stores are left that the next update writes
   */
  void end(boolean unfinished) {
    state.writerLock().lock();
    try {
      blocked = unfinished;
    } finally {
      state.writerLock().unlock();
    }
  }
}
