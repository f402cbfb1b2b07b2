/**
 * Writes as clients send them: find the tablet, match the schema, check every row before anything
 * is logged, submit, answer. What depends on the clock, the partition or the client's idea of the
 * schema is refused here; what depends on the rows that are there is decided when the entry is
 * applied.
 */
package dev.kudu4j.tserver.write;
