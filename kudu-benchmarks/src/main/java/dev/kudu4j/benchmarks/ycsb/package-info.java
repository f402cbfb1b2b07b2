/**
 * Runs YCSB over Kudu's protocol: the options of the binding, and a comparison that runs the six
 * standard workloads alternately on several sides. Start with {@link
 * dev.kudu4j.benchmarks.ycsb.YcsbComparison}.
 *
 * <p>The binding itself is in {@code src/exchange}. The build makes two versions of it, for
 * Kudu4j's client and for the published one. YCSB's own client can run it as well: {@code
 * site.ycsb.Client -db dev.kudu4j.benchmarks.ycsb.ours.KuduDb}. YCSB's {@code CoreWorkload} selects
 * the operations and the records; this package runs the threads and measures the times.
 */
package dev.kudu4j.benchmarks.ycsb;
