/**
 * Fault tests: servers are killed, paused, restarted and cut off, their disks filled and their
 * clocks moved, by a schedule that depends on a seed, while clients work and invariants are
 * checked.
 *
 * <p>Start with {@link dev.kudu4j.itest.faults.FaultsIT}. {@link dev.kudu4j.itest.faults.FaultKind}
 * injects and ends each kind of fault, {@link dev.kudu4j.itest.faults.Schedule} selects the times
 * and servers, {@link dev.kudu4j.itest.faults.FrailCluster} contains the servers. The work of the
 * clients and its invariants are in {@link dev.kudu4j.itest.workload}. How to run the tests and
 * read their output: docs/faults.md.
 */
package dev.kudu4j.itest.faults;
