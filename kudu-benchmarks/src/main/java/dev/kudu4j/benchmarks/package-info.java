/**
 * Benchmarks: times and resource usage, as ratios to a baseline that is measured in the same run on
 * the same machine.
 *
 * <p>Start with {@link dev.kudu4j.benchmarks.BenchCommand}. The measured servers are separate
 * processes ({@code cluster}); {@code workload} contains the measured operations; {@code compare}
 * alternates between the compared sides; {@code report} formats the results.
 *
 * <p>The same code measures the servers of each side from outside, through a client. Only {@code
 * engine} and {@code parts} call the storage engine directly, to measure all or parts of it without
 * servers.
 */
package dev.kudu4j.benchmarks;
