/**
 * Elections beside those that Ratis holds by itself. {@link
 * dev.kudu4j.server.raft.election.FirstElection} elects the leader of a new group without a
 * timeout, {@link dev.kudu4j.server.raft.election.MembershipProbe} asks whether a replica is still
 * a member, and {@link dev.kudu4j.server.raft.election.ElectionTracker} follows the elections of
 * one replica for its log.
 *
 * <p>This package asks other servers for pre-votes. It changes no term and no vote itself.
 */
package dev.kudu4j.server.raft.election;
