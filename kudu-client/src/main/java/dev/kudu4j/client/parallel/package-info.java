/**
 * Parallel reads of the pieces of a scan, no faster than their batches are consumed. Start with
 * {@link dev.kudu4j.client.parallel.ParallelRun}.
 *
 * <p>This package knows scans, batches and executors. It does not know the public API: a {@link
 * dev.kudu4j.client.parallel.BatchConverter} creates what users consume.
 */
package dev.kudu4j.client.parallel;
