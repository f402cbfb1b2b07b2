/**
 * Reads every byte and checks every invariant of a tablet's files, and prints what is in them.
 *
 * <p>{@link dev.kudu4j.tablet.check.TabletChecker} checks a whole tablet and what must hold between
 * its files; {@link dev.kudu4j.tablet.check.BaseDataChecker}, {@link
 * dev.kudu4j.tablet.check.ColumnFileChecker} and {@link dev.kudu4j.tablet.check.DeltaFileChecker}
 * return what is wrong with one file. For each kind of file there is a dump, and {@link
 * dev.kudu4j.tablet.check.RowSetDump} prints rows with all that the files of their rowset say of
 * them; {@link dev.kudu4j.tablet.check.RowSetSizes} says what the bytes are for.
 *
 * <p>They read through the same code as the engine and then ask what the engine takes for granted.
 * They change nothing.
 */
package dev.kudu4j.tablet.check;
