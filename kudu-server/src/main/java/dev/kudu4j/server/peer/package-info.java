/**
 * What servers tell each other about tablets beside Raft, whose heartbeats carry nothing of ours:
 * how recent a snapshot may be read, how much of the log every member has, and whether a leader is
 * one still. {@link dev.kudu4j.server.peer.PeerExchange} tells and asks, {@link
 * dev.kudu4j.server.peer.PeerService} hears and answers, {@link
 * dev.kudu4j.server.rpc.PeerAddresses} knows where the others are.
 *
 * <p>All tablets that one server leads and another has replicas of go into one message. What is
 * told means: docs/design/replication.md.
 */
package dev.kudu4j.server.peer;
