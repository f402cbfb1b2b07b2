/**
 * Faults: servers are killed, paused, restarted, cut off, their disks filled, their clocks moved,
 * by a schedule that follows from a seed, while clients work and rules are checked.
 *
 * <p>Start with {@link dev.kudu4j.itest.faults.FaultsIT}. {@link dev.kudu4j.itest.faults.FaultKind}
 * says what is done to a server and undone, {@link dev.kudu4j.itest.faults.Schedule} when and to
 * which, {@link dev.kudu4j.itest.faults.FrailCluster} is the servers. What clients do, and what
 * must hold, is {@link dev.kudu4j.itest.workload}. How to run it and to read what it says:
 * docs/faults.md.
 */
package dev.kudu4j.itest.faults;
