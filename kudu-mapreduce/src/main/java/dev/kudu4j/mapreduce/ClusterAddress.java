package dev.kudu4j.mapreduce;

/**
 * A cluster and the timeout of a task's operations.
 *
 * @param masters {@code host:port}, separated by commas
 */
record ClusterAddress(String masters, long timeoutMillis) {}
