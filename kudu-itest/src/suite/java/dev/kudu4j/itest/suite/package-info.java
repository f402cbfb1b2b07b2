/**
 * The client suite: the behaviour of the Java client, the same for both clients and for both
 * servers.
 *
 * <p>The suite is written for our client. The build generates a second version for Apache Kudu's
 * published client by replacing only the package and the imports. That this version compiles and
 * passes shows that programs can be ported by changing their imports. Start with {@link
 * ClientSuite}; a {@code Pair} brings the servers.
 *
 * <p>The suite uses only the synchronous calls, which both clients have under the same names.
 *
 * <table>
 *   <caption>Where to find a case</caption>
 *   <tr><td>tables: types, defaults, encodings, comments, owner, extra configs, soft deletion and
 *       recall, statistics, tablet servers</td><td>{@link TableCases}</td></tr>
 *   <tr><td>alterations of all kinds</td><td>{@link AlterCases}</td></tr>
 *   <tr><td>hash and range partitions, ranges with hash schemas of their own, the partitioner,
 *       pruning, locations and leaders</td><td>{@link PartitionCases}</td></tr>
 *   <tr><td>every type, its bounds and order</td><td>{@link TypeCases}; rows as objects: {@link
 *       RowCases}</td></tr>
 *   <tr><td>every operation, immutable and auto-incrementing columns, COMMIT_WAIT
 *       </td><td>{@link WriteCases}</td></tr>
 *   <tr><td>flush modes, buffers, errors</td><td>{@link SessionCases}</td></tr>
 *   <tr><td>projections, predicates, limits, bounds, replica selection, ordered scans
 *       </td><td>{@link ScanCases}</td></tr>
 *   <tr><td>read modes, snapshots, differences with IS_DELETED, timestamps from client to client
 *       </td><td>{@link SnapshotCases}</td></tr>
 *   <tr><td>scan tokens, tablets split by size (SplitKeyRange)</td><td>{@link TokenCases}</td></tr>
 *   <tr><td>leading master, cluster id, identity, counters, labels</td><td>{@link
 *       ClientCases}</td></tr>
 *   <tr><td>changes by others, dead addresses</td><td>{@link SurpriseCases}</td></tr>
 *   <tr><td>a server killed, restarted, paused during scans and writes of all flush modes; a master
 *       killed and paused</td><td>{@link ServerFaultCases}, over all pairs</td></tr>
 *   <tr><td>leaders killed under load, with three replicas; leading masters killed
 *       </td><td>{@link FaultCases}, {@link MasterFaultCases}, over our servers</td></tr>
 * </table>
 */
package dev.kudu4j.itest.suite;
