/**
 * {@code kudu bench breakup}: where the time of a call goes, as in the break-up of an HBase call in
 * the paper on RDMA-HBase. The client measures the whole call, the server the spans of sampled
 * calls; the difference is the network and the client.
 */
package dev.kudu4j.benchmarks.breakup;
