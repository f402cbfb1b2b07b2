/**
 * The common parts of the log lines of all servers: the prefix of a line about a replica ({@link
 * dev.kudu4j.server.logging.ReplicaPrefix}) and the marker of lines that clients can cause ({@link
 * dev.kudu4j.server.logging.LogMarkers}). The lines are in one class per area, such as {@code
 * ReplicaLogger} or {@code MaintenanceLines}.
 *
 * <p>"Reading the log" in docs/operations.md explains how to read the lines.
 */
@NullMarked
package dev.kudu4j.server.logging;

import org.jspecify.annotations.NullMarked;
