/**
 * Scans that return a result of their rows instead of the rows: what a scanner needs to know of
 * such a result, and the memory that all of them share.
 *
 * <p>A {@link dev.kudu4j.tablet.scan.collect.Collector} receives all rows and has results at the
 * end. Aggregations ({@code scan.aggregate}) and the first rows in an order ({@code scan.top})
 * implement it.
 */
@NullMarked
package dev.kudu4j.tablet.scan.collect;

import org.jspecify.annotations.NullMarked;
