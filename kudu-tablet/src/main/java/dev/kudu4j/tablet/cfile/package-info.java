/**
 * One column of one rowset, on disk: pages with checksum, statistics and an ordinal index;
 * encodings and compression plug in here.
 *
 * <p>Start with {@link dev.kudu4j.tablet.cfile.ColumnWriter} and {@link
 * dev.kudu4j.tablet.cfile.ColumnReader}; an encoding is a class below {@link
 * dev.kudu4j.tablet.cfile.PageEncoding}. Bytes: docs/design/cfile.md.
 *
 * <p>This package knows columns and bytes; it does not know rows, deltas or snapshots.
 */
package dev.kudu4j.tablet.cfile;
