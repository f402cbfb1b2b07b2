package dev.kudu4j.server.maintenance;

/**
 * The settings of a server's maintenance.
 *
 * @param enabled whether maintenance runs in the background
 * @param threads the maximum concurrent ops, on different tablets
 * @param pollMillis the polling interval when there is nothing to do
 * @param unflushedBytes the memory of unflushed rows and changes of all tablets above which the
 *     largest is flushed
 * @param policy defines the priority of ops
 */
public record MaintenanceSettings(
    boolean enabled, int threads, long pollMillis, long unflushedBytes, MaintenancePolicy policy) {}
