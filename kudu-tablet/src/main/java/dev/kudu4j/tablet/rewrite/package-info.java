/**
 * Rewriting rows at a later state without losing their history.
 *
 * <p>{@link dev.kudu4j.tablet.rewrite.RollForward} takes cells of consecutive rows and the REDO
 * changes of these rows. It brings the cells to their latest state and turns the changes into UNDO.
 * A flush, a major delta compaction and a rowset compaction all do this, over different sources:
 *
 * <pre>
 *   old cells   +  changes ({@link dev.kudu4j.tablet.rewrite.MutationSource})         new cells
 *                  REDO (newest first), existing UNDO            --->    UNDO, and changes that stay REDO
 *                                                                        ({@link dev.kudu4j.tablet.rewrite.HistorySink})
 * </pre>
 *
 * <p>{@link dev.kudu4j.tablet.rewrite.FlushedRowReader} reads a DiskRowSet this way. {@link
 * dev.kudu4j.tablet.rewrite.RowHistories} buffers the histories of a block until the ordinals of
 * its rows are known. {@link dev.kudu4j.tablet.rewrite.DeltaFileMerge} merges several delta files
 * into one.
 *
 * <p>This package reads and writes files that it is given. It knows neither superblocks nor which
 * rewriting is worthwhile.
 */
package dev.kudu4j.tablet.rewrite;
