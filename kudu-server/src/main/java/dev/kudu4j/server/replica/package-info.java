/**
 * One replica of one tablet, kept by Raft the same as the others of its group.
 *
 * <p>{@link dev.kudu4j.server.replica.TabletReplica} is the door: write, alter, flush, and ask who
 * leads.
 *
 * <pre>
 *   write --&gt; replica.write --&gt; raft --&gt; ReplicaStateMachine --&gt; ReplicaState (a Tablet)
 *             gathers           orders    stamps, applies,       rows
 *                                         answers
 * </pre>
 *
 * <p>{@link dev.kudu4j.server.replica.SafeTime} says which snapshots may be read. {@code
 * LeaderState} is a replica's time as a leader: elected, heard by a majority, open for writes.
 * {@link dev.kudu4j.server.replica.LeaderStatus} is what a leader tells the others beside Raft.
 *
 * <p>Below are {@link dev.kudu4j.server.replica.write}, {@link dev.kudu4j.server.replica.members}
 * and {@link dev.kudu4j.server.raft}. This package does not know tables, catalogs or the wire. How
 * it all fits together: docs/design/replication.md.
 */
package dev.kudu4j.server.replica;
