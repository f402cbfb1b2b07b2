/**
 * Global indexes in scans: {@link dev.kudu4j.client.index.IndexChoice} decides whether the table of
 * an index can and should be read instead of the indexed table.
 */
package dev.kudu4j.client.index;
