/**
 * Raft, by Apache Ratis, with what a server with hundreds of tablets needs around it.
 *
 * <p>{@link dev.kudu4j.server.raft.RaftHost} is the process' one Raft server: a port, a directory
 * of logs, and a group for each replica. It opens one bad group without harm to the others. {@link
 * dev.kudu4j.server.raft.RaftMember} is this server's member of one group: role, term, members and
 * log as they are now, and the requests to log an entry, to elect, to change the configuration.
 *
 * <pre>
 *   RaftHost.create, open, join --&gt; RaftMember --- submit(RaftEntry) --&gt; Ratis
 *                                                                        |
 *                        GroupStateMachine (the replica's)  &lt;-- stamp, apply, elections
 * </pre>
 *
 * <p>The rest is how Ratis is kept in order:
 *
 * <ul>
 *   <li>{@link dev.kudu4j.server.raft.log}: log directories, votes, the torn end of a log
 *   <li>{@link dev.kudu4j.server.raft.election}: the first election, and what elections come to
 *   <li>{@link dev.kudu4j.server.raft.tuning}: what is changed inside Ratis by reflection
 *   <li>{@link dev.kudu4j.server.raft.LogRetention}: how much of a log may be deleted
 *   <li>{@link dev.kudu4j.server.raft.RaftFailures}: failures of Ratis in our terms
 * </ul>
 *
 * <p>Besides this package, only {@link dev.kudu4j.server.transport} and the state machine of a
 * replica see classes of Ratis. This package knows positions in logs and bytes. It does not know
 * tablets, rows or safe time. See docs/design/replication.md.
 */
package dev.kudu4j.server.raft;
