package dev.kudu4j.itest.workload;

/**
 * A row of a workload's table.
 *
 * @param mark distinguishes writes of the same value
 */
public record Row(long key, long value, long mark) {}
