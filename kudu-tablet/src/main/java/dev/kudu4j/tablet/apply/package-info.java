/**
 * The write path: applies log entries to rows and returns the results.
 *
 * <pre>
 *   WritePath          applies an entry under the writer lock: order, schema changes, exactly-once
 *     RequestApplier   applies a request row by row; each row has one outcome
 *       RequestColumns   maps the request's columns to the current schema
 *       RequestPrefetch  encodes all keys; finds those that are certainly not on disk
 *       RowLocator       locates a key's row
 *       RowMutator       changes the row that RowLocator found
 * </pre>
 *
 * <p>The outcomes of an entry are a pure function of the log up to this entry: no clock, no flag
 * and no memory usage influences them. The current state of the tablet is {@link
 * dev.kudu4j.tablet.apply.AppliedState}.
 */
@NullMarked
package dev.kudu4j.tablet.apply;

import org.jspecify.annotations.NullMarked;
