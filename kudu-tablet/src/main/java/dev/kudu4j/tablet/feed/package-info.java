/**
 * The change feed of a tablet: all changes of all rows, in the order of their timestamps. A change
 * is the difference between the row's state at a timestamp and its state right after it, so the
 * feed is a pure function of what scans return, on every replica and whatever was flushed or
 * compacted.
 *
 * <pre>
 *   {@link dev.kudu4j.tablet.feed.ChangeFinder}  stores and files -> which rows changed, and when
 *   {@link dev.kudu4j.tablet.feed.RowStates}     the rows before and after these changes, by scans of given keys
 *   {@link dev.kudu4j.tablet.feed.ChangeFeed}    both -> {@link dev.kudu4j.tablet.feed.ChangeBatch}
 * </pre>
 *
 * <p>docs/design/feed.md has the design.
 */
@NullMarked
package dev.kudu4j.tablet.feed;

import org.jspecify.annotations.NullMarked;
