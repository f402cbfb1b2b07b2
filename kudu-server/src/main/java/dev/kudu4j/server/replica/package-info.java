/**
 * A tablet replicated through Raft. {@link dev.kudu4j.server.replica.TabletReplica} is the door:
 * write, alter, flush, and ask who leads. {@link dev.kudu4j.server.raft.RaftHost} is the process'
 * one Raft server, which carries the groups of all replicas; {@link
 * dev.kudu4j.server.replica.members.MembershipMonitor} looks after the members of those that are
 * led here.
 *
 * <pre>
 *   write --&gt; WriteQueue --&gt; Raft --&gt; ReplicaStateMachine --&gt; ReplicaState (a Tablet)
 *               gathers        orders      stamps, applies,         rows
 *                                          answers
 * </pre>
 *
 * <p>Nothing outside this package and {@link dev.kudu4j.server.transport} sees Ratis. This package
 * knows log entries and requests; it does not know tables, catalogs or the wire. How it all hangs
 * together: docs/design/replication.md; how members come and go: docs/design/membership.md.
 */
package dev.kudu4j.server.replica;
