/**
 * The stability of a server: minutes of inserts, updates, scans and lookups with fixed memory, with
 * the metrics of the server and its clients sampled once per second. Start with {@link
 * dev.kudu4j.benchmarks.mixed.MixedRun}; {@link dev.kudu4j.benchmarks.mixed.Verdicts} evaluates the
 * samples.
 */
package dev.kudu4j.benchmarks.mixed;
