/**
 * Rewrites rows in a later state without losing their history.
 *
 * <p>{@link dev.kudu4j.tablet.rewrite.RollForward} takes cells of consecutive rows and the REDO
 * changes of these rows. It brings the cells to their latest state and turns the REDO changes into
 * UNDO changes. A flush, a major delta compaction and a rowset compaction all do this, with
 * different sources:
 *
 * <pre>
 *   in:    old cells
 *          changes ({@link dev.kudu4j.tablet.rewrite.MutationSource}): REDO, existing UNDO
 *   out:   new cells
 *          changes ({@link dev.kudu4j.tablet.rewrite.HistorySink}): UNDO, and those that stay REDO
 * </pre>
 *
 * <p>{@link dev.kudu4j.tablet.rewrite.FlushedRowReader} rolls the rows of a DiskRowSet's files
 * forward. {@link dev.kudu4j.tablet.rewrite.RowHistories} buffers the histories of a block until
 * the ordinals of its rows are known. {@link dev.kudu4j.tablet.rewrite.DeltaFileMerge} merges
 * several delta files into one.
 *
 * <p>The callers choose the files that this package reads and writes. It neither reads superblocks
 * nor decides which files to rewrite.
 */
@NullMarked
package dev.kudu4j.tablet.rewrite;

import org.jspecify.annotations.NullMarked;
