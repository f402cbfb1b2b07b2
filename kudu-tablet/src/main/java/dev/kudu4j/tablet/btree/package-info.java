/**
 * The ordered in-memory structure of MemRowSet and DeltaMemStore: an off-heap B+tree with
 * optimistic readers.
 *
 * <p>Start with {@link dev.kudu4j.tablet.btree.OffHeapBTree}, which explains the protocol between
 * readers and the writer. {@code Node} defines the bytes of a node and its search, {@code Keys} the
 * bytes of a key. This package handles keys and 8-byte values, not rows.
 */
@NullMarked
package dev.kudu4j.tablet.btree;

import org.jspecify.annotations.NullMarked;
