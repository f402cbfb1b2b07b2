/**
 * The predicate tree of a scan. {@link dev.kudu4j.tablet.scan.predicate.PredicateCompiler} makes it
 * of column predicates; a {@link dev.kudu4j.tablet.scan.predicate.PredicateNode} clears, from the
 * {@link dev.kudu4j.tablet.scan.predicate.SelectionBitmap} of a {@link
 * dev.kudu4j.tablet.scan.predicate.RowBlock}, the rows that do not match.
 *
 * <p>A leaf first asks the statistics of the pages, then looks at the cells of what is left. New
 * push-downs are new nodes. This package knows columns and bits; it does not know rowsets, deltas
 * or snapshots.
 */
package dev.kudu4j.tablet.scan.predicate;
