/**
 * Compactions of one rowset's deltas. They make reads cheaper and do not change results.
 *
 * <pre>
 *   {@link dev.kudu4j.tablet.compaction.delta.MinorDeltaCompaction}   merges several delta files
 *   {@link dev.kudu4j.tablet.compaction.delta.MajorDeltaCompaction}   applies changes to columns
 *                                                and writes the inverse changes to UNDO
 * </pre>
 *
 * <p>{@link dev.kudu4j.tablet.compaction.delta.DeltaCompactionPolicy} decides from file sizes and
 * change counts whether a compaction is worthwhile. {@link
 * dev.kudu4j.tablet.compaction.delta.DeltaCompactionPicker} picks the best one of a tablet. {@link
 * dev.kudu4j.tablet.rewrite} rewrites the rows.
 */
@NullMarked
package dev.kudu4j.tablet.compaction.delta;

import org.jspecify.annotations.NullMarked;
