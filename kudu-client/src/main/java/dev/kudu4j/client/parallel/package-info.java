/**
 * Parallel reads of the pieces of a scan, no faster than their batches are consumed. Start with
 * {@link dev.kudu4j.client.parallel.ParallelRun}.
 *
 * <p>This package does not depend on the public API: a {@link
 * dev.kudu4j.client.parallel.BatchConverter} creates the batches that users consume.
 */
package dev.kudu4j.client.parallel;
