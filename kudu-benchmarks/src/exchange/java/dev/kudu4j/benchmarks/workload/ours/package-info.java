/** The workloads, over one client. */
package dev.kudu4j.benchmarks.workload.ours;
