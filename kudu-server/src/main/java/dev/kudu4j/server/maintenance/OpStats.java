package dev.kudu4j.server.maintenance;

import dev.kudu4j.tablet.maintenance.MaintenanceTask;

/**
 * The estimated gain and cost of one op on one tablet.
 *
 * @param freedMemoryBytes the memory that the op frees
 * @param logBytes the bytes of log that the op releases, which a restart then need not replay
 * @param ageMillis the time since the tablet first had unflushed data
 * @param epochDelayMillis for how long a flush has been due because of the table's epochs; 0 if it
 *     is not
 * @param freedDiskBytes the disk space that the op frees
 * @param ioBytes the bytes that the op reads and writes
 * @param readGain the reduction of the cost of reads; see {@link MaintenanceTask#readGain}
 * @param writeBytesPerSecond the write rate of the tablet
 * @param priority the priority of the table; see {@link TableMaintenanceConfig}
 */
public record OpStats(
    MaintenanceTask.Kind kind,
    long freedMemoryBytes,
    long logBytes,
    long ageMillis,
    long epochDelayMillis,
    long freedDiskBytes,
    long ioBytes,
    double readGain,
    double writeBytesPerSecond,
    int priority) {}
