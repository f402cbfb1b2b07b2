/**
 * What servers are asked to do: load TPC-H's {@code lineitem}, scan it, look rows up, insert single
 * rows, create tables.
 *
 * <p>The workloads themselves stand in {@code src/exchange}, written for our client; the build
 * makes a second copy of them with {@code dev.kudu4j} exchanged for {@code org.apache.kudu}, for
 * the published client. What both share stands here. Answers are checked against the data.
 */
package dev.kudu4j.benchmarks.workload;
