/**
 * The exchange between servers about tablets outside Raft, whose heartbeats cannot carry this
 * information: the latest readable snapshot, the part of the log that every member has, and whether
 * a leader still leads. {@link dev.kudu4j.server.peer.PeerExchange} sends and asks, {@link
 * dev.kudu4j.server.peer.PeerService} receives and answers, {@link
 * dev.kudu4j.server.rpc.PeerAddresses} holds the addresses.
 *
 * <p>One message covers all tablets that the sender leads and of which the receiver has replicas.
 * docs/design/replication.md explains its content.
 */
@NullMarked
package dev.kudu4j.server.peer;

import org.jspecify.annotations.NullMarked;
