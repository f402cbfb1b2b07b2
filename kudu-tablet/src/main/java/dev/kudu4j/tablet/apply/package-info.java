/**
 * The write path: applies log entries to rows and returns the results.
 *
 * <pre>
 *   WritePath          an entry: order, schema changes, exactly-once        under the writer lock
 *     RequestApplier   a request: row by row, one outcome each
 *       RequestColumns   maps the request's columns to the current schema
 *       RequestPrefetch  the keys of all rows, and which are certainly not on disk
 *       RowLocator       locates a key's row
 *       RowMutator       changes a row there
 * </pre>
 *
 * <p>The outcomes of an entry are a pure function of the log up to this entry: no clock, flag or
 * memory state influences them. The current state of the tablet is {@link
 * dev.kudu4j.tablet.apply.AppliedState}.
 */
package dev.kudu4j.tablet.apply;
