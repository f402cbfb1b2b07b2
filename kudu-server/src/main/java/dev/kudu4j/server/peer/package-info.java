/**
 * The exchange between servers about tablets beside Raft, whose heartbeats cannot carry it: how
 * recent a snapshot may be read, how much of the log every member has, and whether a leader still
 * leads. {@link dev.kudu4j.server.peer.PeerExchange} sends and asks, {@link
 * dev.kudu4j.server.peer.PeerService} receives and answers, {@link
 * dev.kudu4j.server.rpc.PeerAddresses} knows the addresses.
 *
 * <p>One message covers all tablets that one server leads and the other has replicas of.
 * docs/design/replication.md explains its content.
 */
package dev.kudu4j.server.peer;
