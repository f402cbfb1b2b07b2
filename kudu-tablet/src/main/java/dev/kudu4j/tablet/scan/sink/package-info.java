/**
 * Scan sinks convert batches into results.
 *
 * <ul>
 *   <li>{@link dev.kudu4j.tablet.scan.sink.ColumnarResult}: the batch's own buffers, shared
 *   <li>{@link dev.kudu4j.tablet.scan.sink.RowwiseResult}: packed rows, for clients that request
 *       them
 *   <li>{@link dev.kudu4j.tablet.scan.sink.ChecksumSink}, {@link
 *       dev.kudu4j.tablet.scan.sink.CountSink}: a number over any number of batches
 * </ul>
 *
 * <p>Sinks know batches and the wire's layouts. They do not know the sources of rows.
 */
package dev.kudu4j.tablet.scan.sink;
