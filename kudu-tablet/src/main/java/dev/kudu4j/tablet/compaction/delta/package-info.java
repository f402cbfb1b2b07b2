/**
 * Compactions of one rowset's deltas. They make reads cheaper and change no result.
 *
 * <pre>
 *   {@link dev.kudu4j.tablet.compaction.delta.MinorDeltaCompaction}   several delta files become one
 *   {@link dev.kudu4j.tablet.compaction.delta.MajorDeltaCompaction}   changes of some columns go to rewritten columns and, inverted, to UNDO
 * </pre>
 *
 * <p>{@link dev.kudu4j.tablet.compaction.delta.DeltaCompactionPolicy} decides by sizes alone what
 * is worthwhile, {@link dev.kudu4j.tablet.compaction.delta.DeltaCompactionPicker} picks for a whole
 * tablet. {@link dev.kudu4j.tablet.rewrite} rewrites the rows.
 */
package dev.kudu4j.tablet.compaction.delta;
