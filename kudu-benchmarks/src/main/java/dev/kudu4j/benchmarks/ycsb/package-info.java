/**
 * YCSB over Kudu's protocol: the binding's options, and a run of the six standard workloads on
 * several sides alternately. Start with {@link dev.kudu4j.benchmarks.ycsb.YcsbComparison}.
 *
 * <p>The binding itself is in {@code src/exchange} and exists twice, over our client and over the
 * published one. YCSB's own client runs it as well: {@code site.ycsb.Client -db
 * dev.kudu4j.benchmarks.ycsb.ours.KuduDb}. YCSB's {@code CoreWorkload} selects the operations and
 * the records; this package runs its threads and measures the times.
 */
package dev.kudu4j.benchmarks.ycsb;
