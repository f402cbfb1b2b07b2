/**
 * Servers under test: processes on loopback, started from a {@link
 * dev.kudu4j.benchmarks.cluster.Distribution}, observed through {@code /proc}, ended by their pid.
 *
 * <p>Start with {@link dev.kudu4j.benchmarks.cluster.Cluster}. This package does not depend on
 * tables.
 */
package dev.kudu4j.benchmarks.cluster;
