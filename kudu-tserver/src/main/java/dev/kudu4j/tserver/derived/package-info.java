/**
 * The tablets of indexes that are tables of their own. {@link
 * dev.kudu4j.tserver.derived.IndexFeeds} keeps a {@link dev.kudu4j.tserver.derived.FeedPump} for
 * each of them that this server leads: it reads rows from the tablets of the base table and logs
 * them. {@link dev.kudu4j.tserver.derived.SourceCalls} is the other side, at the base table. See
 * docs/design/derived-tablets.md.
 */
@NullMarked
package dev.kudu4j.tserver.derived;

import org.jspecify.annotations.NullMarked;
