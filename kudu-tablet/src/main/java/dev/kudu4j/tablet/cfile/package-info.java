/**
 * One column of one rowset on disk: pages with statistics, an ordinal index, and pluggable
 * encodings.
 *
 * <p>Start with {@link dev.kudu4j.tablet.cfile.ColumnWriter} and {@link
 * dev.kudu4j.tablet.cfile.ColumnReader}; an encoding is a subclass of {@link
 * dev.kudu4j.tablet.cfile.PageEncoding}. Bytes: docs/design/cfile.md.
 *
 * <p>This package knows columns and bytes. It does not know rows, deltas or snapshots.
 */
package dev.kudu4j.tablet.cfile;
