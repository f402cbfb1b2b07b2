/**
 * The write and read performance of a cluster, measured by a client: {@code kudu perf loadgen}
 * writes generated rows, {@code kudu perf table_scan} reads a table without printing it. Start with
 * {@link dev.kudu4j.tools.perf.LoadgenVerb} and {@link dev.kudu4j.tools.perf.LoadPhase}.
 *
 * <p>{@code kudu bench} compares performance with other systems.
 */
package dev.kudu4j.tools.perf;
