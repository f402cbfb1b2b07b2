/**
 * The latency of requests for tablet locations, from a master with thousands of tablets.
 *
 * <p>Start with {@link dev.kudu4j.benchmarks.lookups.LookupsCommand}. The master is a separate
 * process; the tablet servers are {@link dev.kudu4j.benchmarks.lookups.SimulatedServers}, which
 * report tablets that do not exist.
 */
package dev.kudu4j.benchmarks.lookups;
