/**
 * Counts, sums and other aggregates over the rows of a scan. They are computed on packed numbers
 * and dictionary codes, a thousand rows at a time, without copying rows.
 *
 * <p>An {@link dev.kudu4j.common.expression.Aggregation} describes the aggregation, {@link
 * dev.kudu4j.tablet.scan.aggregate.AggregateScan} runs it, and {@link
 * dev.kudu4j.tablet.scan.aggregate.Aggregator} processes the blocks. For each chunk of rows, {@code
 * Groups} assigns a slot (a combination of codes) to each row, {@code NumberNode}s compute the
 * expressions, and the loops of {@code GroupedSums} sum by slot. After each chunk, the sums of the
 * slots are added to the sums of their groups.
 */
@NullMarked
package dev.kudu4j.tablet.scan.aggregate;

import org.jspecify.annotations.NullMarked;
