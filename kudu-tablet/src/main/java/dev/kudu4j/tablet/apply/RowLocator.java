package dev.kudu4j.tablet.apply;

import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetTree;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.memrowset.MemRow;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Locates the latest version of a key's row. Writer only; reusable.
 *
 * <p>A key is live in at most one component. A key is inserted into the active MemRowSet only if it
 * is live nowhere else, and all later changes of the key go to that row. Therefore a row in the
 * active MemRowSet is authoritative, deleted or not. In the same way, a row in the frozen MemRowSet
 * takes precedence over the rowsets on disk. On disk a key may be in several rowsets, but it is
 * live in at most one of them.
 */
final class RowLocator {
  /** The location of a row. */
  enum Location {
    /** The key is not in the active MemRowSet, and not live in any other component. */
    ABSENT,
    /** The row is in the active MemRowSet and deleted: an insert becomes a REINSERT. */
    ACTIVE_DELETED,
    ACTIVE,
    FROZEN,
    DISK;

    boolean isLive() {
      return this != ABSENT && this != ACTIVE_DELETED;
    }
  }

  private Location location = Location.ABSENT;
  private long row;
  private @Nullable DiskRowSet rowSet; // null before a key is found on disk
  private long ordinal;

  /**
   * @param absentOnDisk whether it is known that no rowset on disk has the key
   */
  Location locate(Components components, KeySlice key, boolean absentOnDisk) throws IOException {
    location = search(components, key.array(), key.offset(), key.length(), absentOnDisk);
    return location;
  }

  private Location search(
      Components components, byte[] key, int offset, int length, boolean absentOnDisk)
      throws IOException {
    row = components.activeMemRowSet().seek(key, offset, length);
    if (row != 0) {
      return isDeleted(row) ? Location.ACTIVE_DELETED : Location.ACTIVE;
    }
    MemRowSet frozen = components.frozenMemRowSet();
    if (frozen != null) {
      row = frozen.find(key, offset, length);
      if (row != 0) {
        return isDeleted(row) ? Location.ABSENT : Location.FROZEN;
      }
    }
    return absentOnDisk ? Location.ABSENT : searchDisk(components.tree(), key, offset, length);
  }

  private Location searchDisk(RowSetTree tree, byte[] key, int offset, int length)
      throws IOException {
    int i = tree.coveringBefore(tree.size(), key, offset, length);
    for (; i >= 0; i = tree.coveringBefore(i, key, offset, length)) {
      DiskRowSet covering = tree.get(i);
      ordinal = covering.base().find(key, offset, length);
      if (ordinal >= 0 && !covering.liveness().isDeleted(ordinal)) {
        rowSet = covering;
        return Location.DISK;
      }
    }
    return Location.ABSENT;
  }

  private static boolean isDeleted(long row) {
    long newest = MemRow.newestMutation(row);
    return newest != 0 && RowChange.kind(Mutation.changeAddress(newest)) == RowChange.DELETE;
  }

  Location location() {
    return location;
  }

  /** The address of the row in its MemRowSet; undefined for a row on disk. */
  long row() {
    return row;
  }

  /** Defined for a row on disk only. */
  DiskRowSet rowSet() {
    assert rowSet != null : "the row is not on disk";
    return rowSet;
  }

  /** Defined for a row on disk only. */
  long ordinal() {
    return ordinal;
  }
}
