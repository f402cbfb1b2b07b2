/**
 * One replica of one tablet, which Raft keeps identical to the other replicas of its group.
 *
 * <p>{@link dev.kudu4j.server.replica.TabletReplica} is the entry point: it writes rows, alters the
 * schema, flushes, and reports which server leads.
 *
 * <pre>
 *   write --&gt; replica.write --&gt; raft --&gt; ReplicaStateMachine --&gt; ReplicaState (Tablet)
 *             batches           orders    timestamps, applies,   rows
 *                                         answers
 * </pre>
 *
 * <p>{@link dev.kudu4j.server.replica.SafeTime} determines which snapshots may be read. {@code
 * LeaderState} is the state of a replica as leader: elected, confirmed by a majority, open for
 * writes. {@link dev.kudu4j.server.replica.LeaderStatus} is the status that a leader reports to the
 * other members outside Raft.
 *
 * <p>This package builds on {@link dev.kudu4j.server.replica.write}, {@link
 * dev.kudu4j.server.replica.members} and {@link dev.kudu4j.server.raft}. It does not depend on
 * tables, catalogs or the wire protocol. Overview: docs/design/replication.md.
 */
@NullMarked
package dev.kudu4j.server.replica;

import org.jspecify.annotations.NullMarked;
