package dev.kudu4j.tablet.components;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One version of a tablet's parts. The tree is immutable; the active stores in it grow.
 *
 * <p>Which rows of it a reader sees is decided by its snapshot alone: a key may stand in several
 * parts, and at any snapshot it is live in at most one. A version found after a snapshot T became
 * readable holds everything below T.
 *
 * <p>Counts its pins. Made with one, the tablet's own; while there is one, all parts stay open.
 * {@link CurrentComponents#pin} is how a reader gets one. Thread-safe.
 */
public final class Components {
  private final Schema schema;
  private final RefCounted<MemRowSet> active;
  private final RefCounted<MemRowSet> frozen;
  private final RowSetTree rowSets;
  private final long ancientHistoryMark;
  private final AtomicInteger pins = new AtomicInteger(1);

  /**
   * Shares all parts; all history is there.
   *
   * @param frozen null when nothing is being flushed
   */
  public Components(
      Schema schema,
      RefCounted<MemRowSet> active,
      RefCounted<MemRowSet> frozen,
      RowSetTree rowSets) {
    this(schema, active, frozen, rowSets, 0);
  }

  /**
   * Shares all parts: this version becomes an owner of each.
   *
   * @param frozen null when nothing is being flushed
   * @param ancientHistoryMark history below it has been collected
   */
  public Components(
      Schema schema,
      RefCounted<MemRowSet> active,
      RefCounted<MemRowSet> frozen,
      RowSetTree rowSets,
      long ancientHistoryMark) {
    this.schema = schema;
    this.active = active.retain();
    this.frozen = frozen == null ? null : frozen.retain();
    this.rowSets = rowSets;
    this.ancientHistoryMark = ancientHistoryMark;
    rowSets.rowSets().forEach(DiskRowSet::retainParts);
  }

  /** The tablet's schema in this version, with ids. */
  public Schema schema() {
    return schema;
  }

  /** Where new rows go. */
  public MemRowSet activeMemRowSet() {
    return active.get();
  }

  /** MemRowSets that a checkpoint is writing out; none or one. */
  public List<MemRowSet> frozenMemRowSets() {
    return frozen == null ? List.of() : List.of(frozen.get());
  }

  /** The one of {@link #frozenMemRowSets}, or null. */
  public MemRowSet frozenMemRowSet() {
    return frozen == null ? null : frozen.get();
  }

  /** By smallest key; key intervals may overlap. */
  public List<DiskRowSet> rowSets() {
    return rowSets.rowSets();
  }

  public RowSetTree tree() {
    return rowSets;
  }

  /** Reads at snapshots below it cannot be answered any more; 0 as long as all can. */
  public long ancientHistoryMark() {
    return ancientHistoryMark;
  }

  /** The same parts under another schema. */
  public Components withSchema(Schema changed) {
    return new Components(changed, active, frozen, rowSets, ancientHistoryMark);
  }

  /** The active MemRowSet as a part, to be shared with the next version. */
  public RefCounted<MemRowSet> activePart() {
    return active;
  }

  /** The frozen MemRowSet as a part, or null. */
  public RefCounted<MemRowSet> frozenPart() {
    return frozen;
  }

  /** Adds a pin unless the last one has gone. */
  boolean tryPin() {
    while (true) {
      int now = pins.get();
      if (now == 0) {
        return false;
      }
      if (pins.compareAndSet(now, now + 1)) {
        return true;
      }
    }
  }

  /** Adds a pin to a version that the caller has pinned already. */
  public Components pin() {
    if (!tryPin()) {
      throw new IllegalStateException("Components pinned after the last pin went");
    }
    return this;
  }

  /** Takes a pin back; the last one releases the parts. */
  public void unpin() {
    int left = pins.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("Components unpinned too often");
    }
    if (left == 0) {
      active.release();
      if (frozen != null) {
        frozen.release();
      }
      rowSets.rowSets().forEach(DiskRowSet::releaseParts);
    }
  }
}
