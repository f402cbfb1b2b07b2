/**
 * Elections in addition to those that Ratis starts. {@link
 * dev.kudu4j.server.raft.election.FirstElection} elects the leader of a new group without a
 * timeout, {@link dev.kudu4j.server.raft.election.MembershipProbe} asks whether a replica is still
 * a member, and {@link dev.kudu4j.server.raft.election.ElectionTracker} tracks the elections of one
 * replica for the server's log.
 *
 * <p>This package asks other servers for pre-votes. It does not change terms or votes.
 */
@NullMarked
package dev.kudu4j.server.raft.election;

import org.jspecify.annotations.NullMarked;
