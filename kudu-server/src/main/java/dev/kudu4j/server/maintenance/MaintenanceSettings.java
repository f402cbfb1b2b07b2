package dev.kudu4j.server.maintenance;

/**
 * How a server maintains its tablets.
 *
 * @param enabled whether it does so by itself
 * @param threads tasks at once, on different tablets
 * @param pollMillis between two looks when there is nothing to do
 * @param unflushedBytes rows and changes in the memory of all tablets from which on the largest is
 *     flushed
 * @param policy what is done first
 */
public record MaintenanceSettings(
    boolean enabled, int threads, long pollMillis, long unflushedBytes, MaintenancePolicy policy) {}
