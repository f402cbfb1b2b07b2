/** The YCSB binding, over one client. Start with {@code KuduDb}. */
package dev.kudu4j.benchmarks.ycsb.ours;
