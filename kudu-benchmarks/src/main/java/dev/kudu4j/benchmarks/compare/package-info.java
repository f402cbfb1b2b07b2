/**
 * Runs the same workload on all sides, round by round. Start with {@link
 * dev.kudu4j.benchmarks.compare.Comparison}.
 */
package dev.kudu4j.benchmarks.compare;
