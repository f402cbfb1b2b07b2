package dev.kudu4j.server.maintenance;

import dev.kudu4j.tablet.maintenance.MaintenanceTask;

/**
 * The gain and cost of one op on one tablet, as estimated now.
 *
 * @param freedMemoryBytes memory that it frees
 * @param logBytes log that it releases: a restart replays so much less
 * @param ageMillis since the tablet first held something that is not on disk
 * @param freedDiskBytes disk space that it frees
 * @param ioBytes what it reads and writes
 * @param readGain how much cheaper reads get; see {@link MaintenanceTask#readGain}
 * @param writeBytesPerSecond how busily the tablet is written
 * @param priority of the table; see {@link TableMaintenanceConfig}
 */
public record OpStats(
    MaintenanceTask.Kind kind,
    long freedMemoryBytes,
    long logBytes,
    long ageMillis,
    long freedDiskBytes,
    long ioBytes,
    double readGain,
    double writeBytesPerSecond,
    int priority) {}
