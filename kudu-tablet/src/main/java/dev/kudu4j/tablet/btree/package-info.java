/**
 * The ordered in-memory structure under MemRowSet and DeltaMemStore: an off-heap B+tree with
 * optimistic readers.
 *
 * <p>Start with {@link dev.kudu4j.tablet.btree.OffHeapBTree} for how readers and the writer meet;
 * {@code Node} has the bytes of a node and the search in it, {@code Keys} the bytes of a key. This
 * package knows keys and 8-byte values, not rows.
 */
package dev.kudu4j.tablet.btree;
