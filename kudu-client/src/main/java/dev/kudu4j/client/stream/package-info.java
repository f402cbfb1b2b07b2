/**
 * Streams of batches: what one reader gets from one scan, with one batch fetched ahead.
 *
 * <p>Start with {@link dev.kudu4j.client.stream.PreparedScan}. {@link
 * dev.kudu4j.client.stream.TabletRows} reads one tablet after the other, {@link
 * dev.kudu4j.client.stream.MergedRows} merges all tablets in the order of the primary key, {@link
 * dev.kudu4j.client.stream.IdleKeepAlive} renews the scanner of a reader that pauses.
 *
 * <p>This package knows tablets, batches and cells. It does not know the classes of users: a {@link
 * dev.kudu4j.client.stream.ResultFactory} makes what they read.
 */
package dev.kudu4j.client.stream;
