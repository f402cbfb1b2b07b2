package dev.kudu4j.itest.workload;

/**
 * A row of a workload's table.
 *
 * @param mark tells writes of the same value apart
 */
public record Row(long key, long value, long mark) {}
