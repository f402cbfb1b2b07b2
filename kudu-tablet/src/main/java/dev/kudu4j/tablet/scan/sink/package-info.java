/**
 * The ends of a scan: what a batch becomes.
 *
 * <ul>
 *   <li>{@link dev.kudu4j.tablet.scan.sink.ColumnarResult}: the batch's own buffers, shared
 *   <li>{@link dev.kudu4j.tablet.scan.sink.RowwiseResult}: packed rows, for clients that want rows
 *   <li>{@link dev.kudu4j.tablet.scan.sink.ChecksumSink}, {@link
 *       dev.kudu4j.tablet.scan.sink.CountSink}: a number, over any many batches
 * </ul>
 *
 * <p>Aggregates and top-N will stand beside them. Sinks know batches and the wire's layouts; they
 * do not know where rows come from.
 */
package dev.kudu4j.tablet.scan.sink;
