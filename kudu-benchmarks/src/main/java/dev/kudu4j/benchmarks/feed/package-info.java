/**
 * The change feed: how fast a consumer catches up, and how far it is behind writers. Start with
 * {@link dev.kudu4j.benchmarks.feed.FeedCommand}.
 */
package dev.kudu4j.benchmarks.feed;
