/**
 * Scan sinks convert batches into results.
 *
 * <ul>
 *   <li>{@link dev.kudu4j.tablet.scan.sink.ColumnarResult}: the batch's own buffers, shared
 *   <li>{@link dev.kudu4j.tablet.scan.sink.RowwiseResult}: packed rows, for clients that request
 *       them
 *   <li>{@link dev.kudu4j.tablet.scan.sink.ChecksumSink}, {@link
 *       dev.kudu4j.tablet.scan.sink.CountSink}: the checksum or the count of all rows of the scan
 *   <li>{@link dev.kudu4j.tablet.scan.sink.HashSumSink}: sums of the hashes of rows, in buckets
 * </ul>
 *
 * <p>Sinks depend on batches and on the layouts of the wire, not on the sources of the rows.
 */
@NullMarked
package dev.kudu4j.tablet.scan.sink;

import org.jspecify.annotations.NullMarked;
