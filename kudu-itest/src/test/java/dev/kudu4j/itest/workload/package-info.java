/**
 * What clients do while servers suffer, and what must hold whatever happens.
 *
 * <p>A {@link dev.kudu4j.itest.workload.Workload} has some workers, each a client of its own that
 * repeats one step, and rules: broken ones are {@link dev.kudu4j.itest.workload.Findings}. Workers
 * reach tables through a {@link dev.kudu4j.itest.workload.Store} and its {@link
 * dev.kudu4j.itest.workload.Catalog}, so that our client and the published one can do the work, and
 * a store in memory that lies can show that a rule notices.
 *
 * <table>
 *   <caption>The rules</caption>
 *   <tr><td>{@link dev.kudu4j.itest.workload.Inserts}</td>
 *       <td>what was acknowledged is there, once; nothing else is but what was asked for</td></tr>
 *   <tr><td>{@link dev.kudu4j.itest.workload.Bank}</td>
 *       <td>at each snapshot, of whichever replica, the rows of one request are all there or none,
 *           and add up; a snapshot read twice is the same</td></tr>
 *   <tr><td>{@link dev.kudu4j.itest.workload.Registers}</td>
 *       <td>reads of a key at the leader and writes to it are linearizable</td></tr>
 *   <tr><td>{@link dev.kudu4j.itest.workload.Sessions}</td>
 *       <td>a client reads what it has written, and never goes back in time</td></tr>
 *   <tr><td>{@link dev.kudu4j.itest.workload.Lives}</td>
 *       <td>a row that only one client inserts, updates and deletes is what that client left, now
 *           and at each snapshot</td></tr>
 *   <tr><td>{@link dev.kudu4j.itest.workload.Tables}</td>
 *       <td>tables are made, changed and dropped when that is said, and else not</td></tr>
 * </table>
 *
 * <p>This package knows neither processes nor faults.
 */
package dev.kudu4j.itest.workload;
