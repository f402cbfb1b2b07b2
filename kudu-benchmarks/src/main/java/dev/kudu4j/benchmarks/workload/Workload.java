package dev.kudu4j.benchmarks.workload;

/**
 * How much is asked of the servers.
 *
 * @param scale TPC-H's scale factor; 1 is 6,001,215 rows
 * @param replicas of each tablet
 */
public record Workload(double scale, int replicas) {}
