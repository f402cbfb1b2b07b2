/**
 * How fast a cluster writes and reads, seen by a client: {@code kudu perf loadgen} writes generated
 * rows, {@code kudu perf table_scan} reads a table and prints nothing of it. Start with {@link
 * dev.kudu4j.tools.perf.LoadgenVerb} and {@link dev.kudu4j.tools.perf.LoadPhase}.
 *
 * <p>Comparisons with other systems are the benchmarks' matter: {@code kudu bench}.
 */
package dev.kudu4j.tools.perf;
