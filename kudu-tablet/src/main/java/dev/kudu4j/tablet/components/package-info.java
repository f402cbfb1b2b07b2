/**
 * The parts a tablet consists of at one moment, as readers see them.
 *
 * <p>A {@link dev.kudu4j.tablet.components.Components} is an immutable version of the tree: the
 * MemRowSets and the {@link dev.kudu4j.tablet.components.DiskRowSet}s. The stores in it grow, but
 * the tree does not change: a checkpoint makes a new version that shares the parts which stay, and
 * {@link dev.kudu4j.tablet.components.CurrentComponents} swaps it in with one write. A reader pins
 * the version that it found; a part is closed when the last version that holds it goes.
 *
 * <pre>
 *   version 7 --+--> MemRowSet (active)                version 8 --+--> MemRowSet (active, shared with 7)
 *               +--> MemRowSet (frozen, being flushed)             |
 *               +--> DiskRowSet 1 = base, deltas, stores           +--> DiskRowSet 1' (same base, one delta file more)
 *                                                                  +--> DiskRowSet 2  (what the frozen one became)
 * </pre>
 *
 * <p>This package knows what belongs together and for how long. It does not write, and it does not
 * know logs or snapshots.
 */
package dev.kudu4j.tablet.components;
