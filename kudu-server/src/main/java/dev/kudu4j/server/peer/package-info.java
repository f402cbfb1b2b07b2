/**
 * The exchange of information about tablets between servers, outside Raft, whose heartbeats cannot
 * carry it: the latest readable snapshot, how much of the log may be deleted, and whether a leader
 * still leads. {@link dev.kudu4j.server.peer.PeerExchange} sends the status of leaders and asks for
 * it, {@link dev.kudu4j.server.peer.PeerService} receives it and answers, and {@link
 * dev.kudu4j.server.rpc.PeerAddresses} holds the addresses.
 *
 * <p>One message covers all tablets that the sender leads and of which the receiver has replicas.
 * docs/design/replication.md explains its content.
 */
@NullMarked
package dev.kudu4j.server.peer;

import org.jspecify.annotations.NullMarked;
