/**
 * Raft's messages between servers: two connections for each ordered pair of them, shared by all
 * tablets. {@link dev.kudu4j.server.transport.KuduRpcType} is what Ratis is given; {@link
 * dev.kudu4j.server.transport.RaftTransport} is the whole, and a good place to start.
 *
 * <pre>
 *   GroupAppender (one a follower of a group) --&gt; RemoteServer --&gt; OutgoingConnection (data, control)
 *                                                                            |
 *   RaftServer &lt;-- Receivers (bounded pools) &lt;-- IncomingConnection &lt;--------+
 * </pre>
 *
 * <p>This package knows Ratis' messages and when to send them. It does not know tablets or what is
 * in an entry. Frames, rules and failures: docs/design/transport.md.
 */
package dev.kudu4j.server.transport;
