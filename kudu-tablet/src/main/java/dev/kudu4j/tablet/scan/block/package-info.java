/**
 * A block of rows: what a source of rows hands to predicates and aggregations.
 *
 * <p>{@link dev.kudu4j.tablet.scan.block.RowBlock} gives access to cells, numbers, dictionary codes
 * and page statistics of some consecutive rows. {@link
 * dev.kudu4j.tablet.scan.block.SelectionBitmap} says which of the rows still take part in the scan.
 * This package does not know where the rows come from, nor what is computed with them.
 */
@NullMarked
package dev.kudu4j.tablet.scan.block;

import org.jspecify.annotations.NullMarked;
