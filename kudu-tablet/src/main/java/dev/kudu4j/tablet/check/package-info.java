/**
 * Checks every byte and every invariant of a tablet's files, and prints their content.
 *
 * <p>{@link dev.kudu4j.tablet.check.TabletChecker} checks a whole tablet and the invariants between
 * its files. {@link dev.kudu4j.tablet.check.BaseDataChecker}, {@link
 * dev.kudu4j.tablet.check.ColumnFileChecker} and {@link dev.kudu4j.tablet.check.DeltaFileChecker}
 * return the problems of one file. {@link dev.kudu4j.tablet.check.IndexVerification} compares the
 * indexes of an open tablet with its rows. Each kind of file has a dump. {@link
 * dev.kudu4j.tablet.check.RowSetDump} prints rows with everything that the files of their rowset
 * contain about them; {@link dev.kudu4j.tablet.check.RowSetSizes} breaks down sizes by purpose.
 *
 * <p>The checks read files with the engine's own readers and verify the invariants that the engine
 * assumes. They modify nothing.
 */
@NullMarked
package dev.kudu4j.tablet.check;

import org.jspecify.annotations.NullMarked;
