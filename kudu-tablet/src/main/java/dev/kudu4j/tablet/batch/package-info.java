/**
 * Columns in motion: {@link dev.kudu4j.tablet.batch.ColumnVector} and {@link
 * dev.kudu4j.tablet.batch.ColumnBatch} hold some thousand rows in the wire's columnar layout, off
 * heap. Flush writes them to disk, scans fill them from disk and memory, and the socket sends them
 * as they are.
 */
package dev.kudu4j.tablet.batch;
