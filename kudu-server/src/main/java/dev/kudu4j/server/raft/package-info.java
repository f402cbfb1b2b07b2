/**
 * Raft, implemented by Apache Ratis and adapted to a server with hundreds of tablets.
 *
 * <p>{@link dev.kudu4j.server.raft.RaftHost} is the process' one Raft server: a port, a directory
 * of logs, and a group for each replica. A group that cannot be opened does not affect the others.
 * {@link dev.kudu4j.server.raft.RaftMember} is this server's member of one group: its current role,
 * term, members and log, and requests to log an entry, to start an election and to change the
 * configuration.
 *
 * <pre>
 *   RaftHost.create, open, join --&gt; RaftMember --- submit(RaftEntry) --&gt; Ratis
 *                                                                        |
 *                        GroupStateMachine (the replica's)  &lt;-- stamp, apply, elections
 * </pre>
 *
 * <p>Further classes and packages:
 *
 * <ul>
 *   <li>{@link dev.kudu4j.server.raft.log}: log directories, votes, repair of a torn log
 *   <li>{@link dev.kudu4j.server.raft.election}: the first election of a new group, and tracking of
 *       elections
 *   <li>{@link dev.kudu4j.server.raft.tuning}: changes to Ratis internals by reflection
 *   <li>{@link dev.kudu4j.server.raft.LogRetention}: the part of a log that may be deleted
 *   <li>{@link dev.kudu4j.server.raft.RaftFailures}: translates Ratis failures
 * </ul>
 *
 * <p>Outside this package, only {@link dev.kudu4j.server.transport} and the state machine of a
 * replica use Ratis classes. This package handles bytes and positions in logs, not rows or safe
 * time. See docs/design/replication.md.
 */
@NullMarked
package dev.kudu4j.server.raft;

import org.jspecify.annotations.NullMarked;
