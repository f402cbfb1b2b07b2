/**
 * YCSB over Kudu's protocol: the binding's options, and a run of the six standard workloads on
 * several sides in turn. Start with {@link dev.kudu4j.benchmarks.ycsb.YcsbComparison}.
 *
 * <p>The binding itself stands in {@code src/exchange} and exists twice, over our client and over
 * the published one. YCSB's own client runs it as well: {@code site.ycsb.Client -db
 * dev.kudu4j.benchmarks.ycsb.ours.KuduDb}. What is asked, and of which records, is YCSB's {@code
 * CoreWorkload}; this package runs its threads and takes the times.
 */
package dev.kudu4j.benchmarks.ycsb;
