/**
 * One column of one rowset on disk: pages with statistics, an ordinal index, and pluggable
 * encodings.
 *
 * <p>Start with {@link dev.kudu4j.tablet.cfile.ColumnWriter} and {@link
 * dev.kudu4j.tablet.cfile.ColumnReader}; an encoding is a subclass of {@link
 * dev.kudu4j.tablet.cfile.PageEncoding}. The file format is described in docs/design/cfile.md.
 *
 * <p>This package handles columns and bytes, not rows, deltas or snapshots.
 */
@NullMarked
package dev.kudu4j.tablet.cfile;

import org.jspecify.annotations.NullMarked;
