/**
 * Streams of batches: how one reader reads one scan, with one batch prefetched.
 *
 * <p>Start with {@link dev.kudu4j.client.stream.PreparedScan}. {@link
 * dev.kudu4j.client.stream.TabletRows} reads tablet by tablet, {@link
 * dev.kudu4j.client.stream.MergedRows} merges all tablets in the order of the primary key, {@link
 * dev.kudu4j.client.stream.RowsOrTable} reads a global index, or the table if that fails, {@link
 * dev.kudu4j.client.stream.IdleKeepAlive} keeps the scanner of a paused reader alive.
 *
 * <p>This package does not depend on the public API: a {@link
 * dev.kudu4j.client.stream.ResultFactory} creates the batches that users read.
 */
package dev.kudu4j.client.stream;
