/**
 * Rows in requests to servers: their packed form ({@link dev.kudu4j.client.row.PackedRows}) and
 * their partition keys ({@link dev.kudu4j.client.row.RowPartitionKeys}).
 *
 * <p>This package does not depend on sessions, tablets or the public API.
 */
package dev.kudu4j.client.row;
