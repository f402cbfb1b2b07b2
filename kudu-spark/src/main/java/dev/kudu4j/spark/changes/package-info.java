/**
 * The changes of a table's rows as a table that queries and streams can read: {@link
 * dev.kudu4j.spark.changes.ChangesTable}. A stream is {@link
 * dev.kudu4j.spark.changes.ChangesStream}; its offsets are times, so each batch is all changes
 * between two times, in one task per tablet.
 */
package dev.kudu4j.spark.changes;
