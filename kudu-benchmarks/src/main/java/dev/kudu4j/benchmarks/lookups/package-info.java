/**
 * How long the master takes to tell where a tablet is, when it knows thousands.
 *
 * <p>Start with {@link dev.kudu4j.benchmarks.lookups.LookupsCommand}. The master is a process of
 * its own; the tablet servers are {@link dev.kudu4j.benchmarks.lookups.SimulatedServers}, which
 * have no tablets but say that they do.
 */
package dev.kudu4j.benchmarks.lookups;
