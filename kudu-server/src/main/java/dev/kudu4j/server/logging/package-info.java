/**
 * What the log lines of all servers have in common: the prefix of a line about a replica ({@link
 * dev.kudu4j.server.logging.ReplicaPrefix}) and the mark of lines that strangers can cause ({@link
 * dev.kudu4j.server.logging.Marks}). The lines themselves stand in one class per area, such as
 * {@code ReplicaLines} or {@code MaintenanceLines}.
 *
 * <p>How to read them: "Reading the log" in docs/operations.md.
 */
package dev.kudu4j.server.logging;
