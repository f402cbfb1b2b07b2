/**
 * {@code kudu bench threads}: the thread models of the RPC server, compared over the number of
 * clients, as in the section on thread models of the paper on RDMA-HBase.
 *
 * <p>A cluster is started for each model, and all stay up. For each kind of call and each number of
 * clients, the clusters are measured in turn, so a disturbance of the machine meets all of them. A
 * client is one connection with one call in flight; its next call starts when the response arrives,
 * on the event loop, so that clients cost no threads.
 *
 * <p>{@link dev.kudu4j.benchmarks.threads.ModelComparison} runs the comparison; other commands use
 * it with tables and operations of their own.
 */
package dev.kudu4j.benchmarks.threads;
