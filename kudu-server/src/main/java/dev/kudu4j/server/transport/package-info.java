/**
 * Raft's messages between servers: two connections for each ordered pair of servers, shared by all
 * tablets. Ratis loads {@link dev.kudu4j.server.transport.KuduRpcType}, which creates the {@link
 * dev.kudu4j.server.transport.RaftTransport}. That class is the entry point of the package.
 *
 * <pre>
 *   GroupAppender (one per follower) --&gt; RemoteServer --&gt; OutgoingConnection (data, control)
 *                                                                   |
 *   RaftServer &lt;- Receivers (bounded pools) &lt;- IncomingConnection &lt;-+
 * </pre>
 *
 * <p>This package handles Ratis' messages and decides when to send them. It does not depend on
 * tablets or on the content of entries. Frames, rules and failures: docs/design/transport.md.
 */
@NullMarked
package dev.kudu4j.server.transport;

import org.jspecify.annotations.NullMarked;
