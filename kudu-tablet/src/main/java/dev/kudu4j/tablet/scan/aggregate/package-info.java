/**
 * Counts, sums and their like of the rows of a scan, computed where the rows lie: on packed numbers
 * and dictionary codes, a thousand rows at a time, without copying a row.
 *
 * <p>An {@link dev.kudu4j.tablet.scan.aggregate.AggregateSpec} says what is wanted; {@link
 * dev.kudu4j.tablet.scan.aggregate.AggregateScan} runs it; {@link
 * dev.kudu4j.tablet.scan.aggregate.Aggregator} sees the blocks. Of a step of rows, {@code Groups}
 * gives each row a cell (its combination of codes), {@code NumberNode}s compute the expressions,
 * and the loops of {@code GroupedSums} add up by cell. Cells become groups once a step.
 */
package dev.kudu4j.tablet.scan.aggregate;
