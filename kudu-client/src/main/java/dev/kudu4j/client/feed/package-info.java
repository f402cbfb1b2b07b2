/**
 * The change feed of a table. {@link dev.kudu4j.client.feed.TableFeed} merges the feeds of the
 * table's tablets by time; {@link dev.kudu4j.client.feed.TabletFeed} reads that of one tablet.
 *
 * <p>This package does not depend on the public API.
 */
package dev.kudu4j.client.feed;
