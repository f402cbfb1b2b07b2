/**
 * The work of the servers: load TPC-H's {@code lineitem}, scan it, look up rows, insert single
 * rows, create tables.
 *
 * <p>The workloads themselves are in {@code src/exchange}, written for our client; the build
 * creates a second copy of them with {@code dev.kudu4j} replaced by {@code org.apache.kudu}, for
 * the published client. This package contains the code that both copies use. The workloads check
 * the results of reads against the loaded data.
 */
package dev.kudu4j.benchmarks.workload;
