/**
 * What servers are asked to do, over the published client: load TPC-H's {@code lineitem}, scan it,
 * look rows up, insert single rows, create tables.
 *
 * <p>Each workload takes a client and returns what it saw; answers are checked against the data.
 * This package does not know which server it talks to, nor what its answers are compared with.
 */
package dev.kudu4j.benchmarks.workload;
