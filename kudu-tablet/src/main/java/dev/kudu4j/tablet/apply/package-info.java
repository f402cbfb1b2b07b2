/**
 * The write path: a log entry goes in, rows change, answers come out.
 *
 * <pre>
 *   WritePath        an entry: order, schema changes, exactly-once        under the writer lock
 *     RequestApplier a request: row by row, one outcome each
 *       RequestColumns what the request's columns are in the schema of now
 *       RequestPrefetch      the keys of all its rows, and which are certainly not on disk
 *       RowLocator     where the row of a key lives, if it does
 *       RowMutator     changes a row there
 * </pre>
 *
 * <p>A pure function of the log before: no clock, flag or memory state takes part in an outcome.
 * What the tablet is now stands in {@link dev.kudu4j.tablet.apply.AppliedState}.
 */
package dev.kudu4j.tablet.apply;
