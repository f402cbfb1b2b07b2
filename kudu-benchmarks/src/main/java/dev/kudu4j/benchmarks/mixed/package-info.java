/**
 * Whether a server stays as it is: minutes of inserts, updates, scans and look-ups at a fixed
 * memory, with what the server and its clients see recorded each second. Start with {@link
 * dev.kudu4j.benchmarks.mixed.MixedRun}; {@link dev.kudu4j.benchmarks.mixed.Verdicts} judges.
 */
package dev.kudu4j.benchmarks.mixed;
