/**
 * Compactions of one rowset's deltas: changes of the tablet's files that make reads cheaper and
 * change no answer.
 *
 * <pre>
 *   {@link dev.kudu4j.tablet.compaction.delta.MinorDeltaCompaction}   several delta files become one
 *   {@link dev.kudu4j.tablet.compaction.delta.MajorDeltaCompaction}   changes of some columns go to columns written anew, and, turned around, to UNDO
 * </pre>
 *
 * <p>What is worth it say {@link dev.kudu4j.tablet.compaction.delta.DeltaCompactionPolicy}, by
 * sizes alone, and {@link dev.kudu4j.tablet.compaction.delta.DeltaCompactionPicker} for a tablet.
 * How rows are written anew is in {@link dev.kudu4j.tablet.rewrite}.
 */
package dev.kudu4j.tablet.compaction.delta;
