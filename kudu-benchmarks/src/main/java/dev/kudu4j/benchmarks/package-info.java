/**
 * Benchmarks: the cost of the cluster, as ratios to a baseline that ran at the same time on the
 * same machine.
 *
 * <p>Start with {@link dev.kudu4j.benchmarks.BenchCommand}. The measured servers are separate
 * processes ({@code cluster}); {@code workload} contains the work; {@code compare} schedules the
 * sides; {@code report} formats the numbers.
 *
 * <p>Servers are measured from outside, with a client, by the same code. Only {@code engine} and
 * {@code parts} call the storage engine, to measure it alone, or parts of it.
 */
package dev.kudu4j.benchmarks;
