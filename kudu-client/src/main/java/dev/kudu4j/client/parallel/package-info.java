/**
 * Reading the pieces of a scan side by side, no faster than their batches are consumed. Start with
 * {@link dev.kudu4j.client.parallel.ParallelRun}.
 *
 * <p>This package knows scans, batches and executors. It does not know the classes of users: a
 * {@link dev.kudu4j.client.parallel.BatchConverter} makes what they consume.
 */
package dev.kudu4j.client.parallel;
