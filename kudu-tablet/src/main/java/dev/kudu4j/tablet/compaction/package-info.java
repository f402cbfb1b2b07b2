/**
 * Rowset compaction: replaces several rowsets with equivalent ones that do not overlap.
 *
 * <p>Start with {@link dev.kudu4j.tablet.compaction.RowSetCompaction}, a store update. {@link
 * dev.kudu4j.tablet.compaction.RowSetMerge} iterates over the rows by key, {@link
 * dev.kudu4j.tablet.compaction.RowHistoryMerger} merges rows with the same key, {@link
 * dev.kudu4j.tablet.compaction.RollingRowSetWriter} writes the outputs, {@link
 * dev.kudu4j.tablet.compaction.RowSetCarryOver} carries over concurrent changes. See
 * docs/design/compaction.md.
 *
 * <p>This package does not decide which rowsets to merge.
 */
@NullMarked
package dev.kudu4j.tablet.compaction;

import org.jspecify.annotations.NullMarked;
