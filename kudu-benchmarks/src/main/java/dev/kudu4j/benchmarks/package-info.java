/**
 * Figures: what the cluster costs, as ratios against a baseline that ran in the same minutes on the
 * same machine.
 *
 * <p>Start with {@link dev.kudu4j.benchmarks.BenchCommand}. Servers under test are processes of
 * their own ({@code cluster}); what they are asked to do is in {@code workload}; who runs when is
 * in {@code compare}; numbers become text in {@code report}.
 *
 * <p>Servers are measured from outside, over a client, by one and the same code. Only {@code
 * engine} and {@code parts} call the storage engine: they measure that alone, or pieces of it.
 */
package dev.kudu4j.benchmarks;
