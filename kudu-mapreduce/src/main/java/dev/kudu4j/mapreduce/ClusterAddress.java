package dev.kudu4j.mapreduce;

/**
 * A cluster and how patient a task is with it.
 *
 * @param masters {@code host:port}, separated by commas
 */
record ClusterAddress(String masters, long timeoutMillis) {}
