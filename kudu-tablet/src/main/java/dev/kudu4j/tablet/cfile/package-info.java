/**
 * One column of one rowset, on disk: pages with checksum, statistics and an ordinal index;
 * encodings and compression plug in here. This package knows columns and bytes; it does not know
 * rows, deltas or snapshots. Bytes: docs/design/cfile.md.
 */
package dev.kudu4j.tablet.cfile;
