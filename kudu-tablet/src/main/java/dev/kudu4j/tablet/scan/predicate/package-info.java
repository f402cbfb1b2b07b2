/**
 * The predicate tree of a scan. {@link dev.kudu4j.tablet.scan.predicate.PredicateCompiler} compiles
 * column predicates into it. A {@link dev.kudu4j.tablet.scan.predicate.PredicateNode} clears the
 * rows that do not match from the {@link dev.kudu4j.tablet.scan.block.SelectionBitmap} of a {@link
 * dev.kudu4j.tablet.scan.block.RowBlock}.
 *
 * <p>A leaf consults the page statistics first and then reads the cells of the remaining rows. Each
 * kind of push-down has its own node class. This package depends only on columns and bitmaps, not
 * on rowsets, deltas or snapshots.
 */
@NullMarked
package dev.kudu4j.tablet.scan.predicate;

import org.jspecify.annotations.NullMarked;
