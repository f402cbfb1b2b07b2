/**
 * Columns in memory: {@link dev.kudu4j.tablet.batch.ColumnVector} and {@link
 * dev.kudu4j.tablet.batch.ColumnBatch} hold a few thousand rows, off heap, in the columnar layout
 * of the wire protocol. A flush writes them to disk, scans fill them from disk and memory, and the
 * server sends them to clients unchanged.
 */
@NullMarked
package dev.kudu4j.tablet.batch;

import org.jspecify.annotations.NullMarked;
