package dev.kudu4j.tablet.components;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One version of a tablet's components: MemRowSets and DiskRowSets. The set of components is
 * immutable; the active stores in it grow.
 *
 * <p>The snapshot alone determines which rows a reader sees. A key may be in several components,
 * but at any snapshot it is live in at most one. A version obtained after snapshot T became
 * readable contains all operations below T.
 *
 * <p>A version counts its pins. It starts with one pin, held by the tablet. While it has a pin, all
 * components stay open. Readers obtain a pin by {@link CurrentComponents#pin}. Thread-safe.
 */
public final class Components {
  private final Schema schema;
  private final RefCounted<MemRowSet> active;
  private final @Nullable RefCounted<MemRowSet> frozen;
  private final RowSetTree rowSets;
  private final long ancientHistoryMark;
  private final AtomicInteger pins = new AtomicInteger(1);

  /**
   * Creates a version without dropped history. The version becomes an owner of each component.
   *
   * @param frozen null if no MemRowSet is being flushed
   */
  public Components(
      Schema schema,
      RefCounted<MemRowSet> active,
      @Nullable RefCounted<MemRowSet> frozen,
      RowSetTree rowSets) {
    this(schema, active, frozen, rowSets, 0);
  }

  /**
   * Creates a version. The version becomes an owner of each component.
   *
   * @param frozen null if no MemRowSet is being flushed
   * @param ancientHistoryMark history before this timestamp has been dropped
   */
  public Components(
      Schema schema,
      RefCounted<MemRowSet> active,
      @Nullable RefCounted<MemRowSet> frozen,
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

  /** The MemRowSet that receives new rows. */
  public MemRowSet activeMemRowSet() {
    return active.get();
  }

  /** The MemRowSets that a checkpoint is writing: none or one. */
  public List<MemRowSet> frozenMemRowSets() {
    return frozen == null ? List.of() : List.of(frozen.get());
  }

  /** The MemRowSet that a checkpoint is writing, or null. */
  public @Nullable MemRowSet frozenMemRowSet() {
    return frozen == null ? null : frozen.get();
  }

  /** The DiskRowSets, sorted by smallest key; their key intervals may overlap. */
  public List<DiskRowSet> rowSets() {
    return rowSets.rowSets();
  }

  /** The rowset with the id; null if there is none. */
  public @Nullable DiskRowSet rowSet(long id) {
    for (DiskRowSet rowSet : rowSets()) {
      if (rowSet.id() == id) {
        return rowSet;
      }
    }
    return null;
  }

  public RowSetTree tree() {
    return rowSets;
  }

  /** The lowest readable snapshot; 0 if the history is complete. */
  public long ancientHistoryMark() {
    return ancientHistoryMark;
  }

  /**
   * The lowest timestamp of a row or change in memory; Long.MAX_VALUE if there is none. A scan of a
   * snapshot that is not above it reads files only.
   */
  public long oldestInMemory() {
    long oldest = activeMemRowSet().minTimestamp();
    if (frozen != null) {
      oldest = Math.min(oldest, frozen.get().minTimestamp());
    }
    for (DiskRowSet rowSet : rowSets()) {
      oldest = Math.min(oldest, rowSet.activeDeltas().minTimestamp());
      DeltaMemStore deltas = rowSet.frozenDeltas();
      oldest = deltas == null ? oldest : Math.min(oldest, deltas.minTimestamp());
    }
    return oldest;
  }

  /** Whether stores are frozen that no checkpoint has written yet. */
  public boolean hasFrozenStores() {
    return frozen != null || rowSets().stream().anyMatch(rowSet -> rowSet.frozenDeltas() != null);
  }

  /** A version with the same components and another schema. */
  public Components withSchema(Schema changed) {
    return new Components(changed, active, frozen, rowSets, ancientHistoryMark);
  }

  /** The active MemRowSet with its reference count, to share it with the next version. */
  public RefCounted<MemRowSet> activePart() {
    return active;
  }

  /** The frozen MemRowSet with its reference count, or null. */
  public @Nullable RefCounted<MemRowSet> frozenPart() {
    return frozen;
  }

  /** Adds a pin; false if the last pin has been released. */
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

  /** Adds a pin to a version that the caller has already pinned. */
  public Components pin() {
    if (!tryPin()) {
      throw new IllegalStateException("Components pinned after the last unpin");
    }
    return this;
  }

  /** Releases a pin; the release of the last pin releases the components. */
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
