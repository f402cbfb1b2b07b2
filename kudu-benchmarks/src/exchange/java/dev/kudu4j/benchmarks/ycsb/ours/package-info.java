/**
 * The YCSB binding, written for Kudu4j's client. The build makes a copy for the published client.
 * Start with {@code KuduDb}.
 */
package dev.kudu4j.benchmarks.ycsb.ours;
