/**
 * Reads every byte and checks every invariant of a tablet's files, and prints what is in them.
 *
 * <p>{@link dev.kudu4j.tablet.check.BaseDataChecker} and {@link
 * dev.kudu4j.tablet.check.DeltaFileChecker} return what is wrong with a file; {@link
 * dev.kudu4j.tablet.check.BaseDataDump} and {@link dev.kudu4j.tablet.check.DeltaFileDump} print
 * one; {@link dev.kudu4j.tablet.check.TabletChecker} checks a whole tablet and what must hold
 * between its files, {@link dev.kudu4j.tablet.check.SuperblockDump} prints what names them. They
 * read through the same code as the engine and then ask what the engine takes for granted.
 */
package dev.kudu4j.tablet.check;
