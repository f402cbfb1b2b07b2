/**
 * Writing rows anew, at a later state than they were written before, without losing what they were.
 *
 * <p>{@link dev.kudu4j.tablet.rewrite.RollForward} takes cells of consecutive rows and the REDO
 * changes of these rows; it makes the cells those of now and turns the changes around to UNDO. A
 * flush, a major delta compaction and a rowset compaction are that, over different sources:
 *
 * <pre>
 *   cells          changes ({@link dev.kudu4j.tablet.rewrite.MutationSource})         cells of now
 *   of before   +  REDO (newest first), UNDO there was (oldest first)    --->     UNDO, and what stays REDO
 *                                                                                ({@link dev.kudu4j.tablet.rewrite.HistorySink})
 * </pre>
 *
 * <p>{@link dev.kudu4j.tablet.rewrite.FlushedRowReader} reads a DiskRowSet that way, {@link
 * dev.kudu4j.tablet.rewrite.RowHistories} keeps the histories of a block until it is known which
 * ordinals the rows get. {@link dev.kudu4j.tablet.rewrite.DeltaFileMerge} makes one delta file of
 * several.
 *
 * <p>This package reads and writes files that it is given. It knows neither superblocks nor which
 * rewriting is worth it.
 */
package dev.kudu4j.tablet.rewrite;
