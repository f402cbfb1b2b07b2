/**
 * New rows in memory, ordered by encoded key. {@link dev.kudu4j.tablet.memrowset.MemRowSet} is
 * built on an off-heap B+tree; {@link dev.kudu4j.tablet.memrowset.MemRow} defines the layout of one
 * row.
 */
@NullMarked
package dev.kudu4j.tablet.memrowset;

import org.jspecify.annotations.NullMarked;
