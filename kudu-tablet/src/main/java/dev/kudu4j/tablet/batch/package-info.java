/**
 * Columns in memory: {@link dev.kudu4j.tablet.batch.ColumnVector} and {@link
 * dev.kudu4j.tablet.batch.ColumnBatch} hold some thousand rows, off heap, in the wire's columnar
 * layout. A flush writes them to disk, scans fill them from disk and memory, and the socket sends
 * them unchanged.
 */
package dev.kudu4j.tablet.batch;
