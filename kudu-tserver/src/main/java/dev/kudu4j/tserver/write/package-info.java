/**
 * Writes as clients send them: find the tablet, match the schema, check every row before anything
 * is logged, submit, answer. Errors that depend on the clock, the partition or the client's schema
 * are detected here, and the write is rejected. Errors that depend on existing rows are detected
 * when the entry is applied.
 */
package dev.kudu4j.tserver.write;
