package dev.kudu4j.server.maintenance;

/**
 * The settings of a server's maintenance.
 *
 * @param enabled whether maintenance runs in the background
 * @param threads the maximum number of concurrent ops, each on another tablet
 * @param pollMillis the polling interval when there is nothing to do
 * @param unflushedBytes if the unflushed rows and deltas of all tablets use more memory than this,
 *     memory counts as short, and the tablet whose flush frees most memory is flushed first
 * @param policy defines the priority of ops
 */
public record MaintenanceSettings(
    boolean enabled, int threads, long pollMillis, long unflushedBytes, MaintenancePolicy policy) {}
