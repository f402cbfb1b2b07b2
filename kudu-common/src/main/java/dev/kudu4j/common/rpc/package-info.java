/**
 * Client and server of Apache Kudu's RPC protocol, on Netty.
 *
 * <pre>
 *   event loop              event loop or a pool        any thread
 *   frames, headers   --->  decode, handler.handle ---> call.respond
 *   never blocks            by the thread model         exactly once
 * </pre>
 *
 * <p>On a server start with {@link dev.kudu4j.common.rpc.RpcServer} and {@link
 * dev.kudu4j.common.rpc.RpcService}: a service has methods, a method has a handler, and a handler
 * answers its {@link dev.kudu4j.common.rpc.RpcCall} now or later, from any thread. On a client
 * start with {@link dev.kudu4j.common.rpc.RpcClient}.
 *
 * <p><b>Memory of a request.</b> A frame is copied once, from the socket into its own heap array.
 * The request message is parsed with aliasing: its {@code bytes} fields (the rows and indirect data
 * of a write) are views of that array. {@link dev.kudu4j.common.wire.HeapBytes#of} returns array
 * and offset without a copy. Retaining one such field retains the whole array.
 *
 * <p><b>Memory of a response.</b> Header and message are written into one buffer. The sidecars are
 * sent without a copy and released afterwards, or when the connection is closed. If a client does
 * not read its responses, the server stops reading from it and does not start its queued calls.
 *
 * <p>The thread models are in {@link dev.kudu4j.common.rpc.execution}. Frames are in {@link
 * dev.kudu4j.common.rpc.frame}, negotiation is in {@link dev.kudu4j.common.rpc.negotiation}. This
 * package does not depend on tablets or tables.
 */
@NullMarked
package dev.kudu4j.common.rpc;

import org.jspecify.annotations.NullMarked;
