/**
 * Rowset compaction: several rowsets become others that say the same and do not overlap.
 *
 * <p>Start with {@link dev.kudu4j.tablet.compaction.RowSetCompaction}, a change of the store.
 * {@link dev.kudu4j.tablet.compaction.RowSetMerge} goes through the rows by key, {@link
 * dev.kudu4j.tablet.compaction.RowHistoryMerger} makes one row of several lives of a key, {@link
 * dev.kudu4j.tablet.compaction.RollingRowSetWriter} writes, {@link
 * dev.kudu4j.tablet.compaction.RowSetCarryOver} takes along what is written meanwhile.
 * docs/design/compaction.md.
 *
 * <p>This package does not decide what is worth merging.
 */
package dev.kudu4j.tablet.compaction;
