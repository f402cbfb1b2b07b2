/**
 * The components of a tablet at one point in time, as readers see them.
 *
 * <p>A {@link dev.kudu4j.tablet.components.Components} is an immutable version of the tree of
 * MemRowSets and {@link dev.kudu4j.tablet.components.DiskRowSet}s. The stores in it grow, but the
 * tree does not change. A checkpoint creates a new version that shares the unchanged components,
 * and {@link dev.kudu4j.tablet.components.CurrentComponents} swaps it in with one write. A reader
 * pins the version that it finds. A component is closed when the last version that contains it is
 * released.
 *
 * <pre>
 *   version 7 --+--> MemRowSet (active)
 *               +--> MemRowSet (frozen, being flushed)
 *               +--> DiskRowSet 1 = base, deltas, stores
 *
 *   version 8 --+--> MemRowSet (active, shared with 7)
 *               +--> DiskRowSet 1' (same base, one more delta file)
 *               +--> DiskRowSet 2  (written from the frozen MemRowSet)
 * </pre>
 *
 * <p>This package groups components into versions and controls how long they stay open. It writes
 * no files and does not depend on logs or snapshots.
 */
@NullMarked
package dev.kudu4j.tablet.components;

import org.jspecify.annotations.NullMarked;
