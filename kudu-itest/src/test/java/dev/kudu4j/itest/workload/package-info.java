/**
 * Work of clients during faults, and the invariants that must always hold.
 *
 * <p>A {@link dev.kudu4j.itest.workload.Workload} has some workers, each a separate client that
 * repeats one step, and invariants: violations are {@link dev.kudu4j.itest.workload.Findings}.
 * Workers access tables through a {@link dev.kudu4j.itest.workload.Store} and its {@link
 * dev.kudu4j.itest.workload.Catalog}, so that our client and the published one can do the work, and
 * a faulty store in memory can show that violations are detected.
 *
 * <table>
 *   <caption>The invariants</caption>
 *   <tr><td>{@link dev.kudu4j.itest.workload.Inserts}</td>
 *       <td>acknowledged rows exist, once; other rows only if they were requested</td></tr>
 *   <tr><td>{@link dev.kudu4j.itest.workload.Bank}</td>
 *       <td>at each snapshot, of any replica, the rows of one request are all visible or none,
 *           and have the right sum; a snapshot that is read twice is the same</td></tr>
 *   <tr><td>{@link dev.kudu4j.itest.workload.Registers}</td>
 *       <td>reads of a key at the leader and writes to it are linearizable</td></tr>
 *   <tr><td>{@link dev.kudu4j.itest.workload.Sessions}</td>
 *       <td>a client reads its own writes, and never an older state</td></tr>
 *   <tr><td>{@link dev.kudu4j.itest.workload.Lives}</td>
 *       <td>a row that only one client inserts, updates and deletes has the state that this client
 *           left, now and at each snapshot</td></tr>
 *   <tr><td>{@link dev.kudu4j.itest.workload.Tables}</td>
 *       <td>tables are created, changed and dropped by acknowledged changes, and only by requested
 *           ones</td></tr>
 * </table>
 *
 * <p>This package does not depend on processes or faults.
 */
package dev.kudu4j.itest.workload;
