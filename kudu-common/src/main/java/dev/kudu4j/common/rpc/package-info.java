/**
 * Remote calls in Apache Kudu's format, both ends, on Netty.
 *
 * <pre>
 *   event loop              service pool                any thread
 *   frames, headers   --->  decode, handler.handle ---> call.respond
 *   never blocks            bounded queue               exactly once
 * </pre>
 *
 * <p>On a server start with {@link dev.kudu4j.common.rpc.RpcServer} and {@link
 * dev.kudu4j.common.rpc.RpcService}: a service names its methods, a method has a handler, and a
 * handler answers its {@link dev.kudu4j.common.rpc.RpcCall} now or later, from any thread. On a
 * client start with {@link dev.kudu4j.common.rpc.RpcClient}.
 *
 * <p><b>Memory of a request.</b> A frame is copied once, from the socket into a heap array of its
 * own. The request message is parsed with aliasing: its {@code bytes} fields (the rows and indirect
 * data of a write) are views of that array. {@link dev.kudu4j.common.wire.HeapBytes#of} gives array
 * and offset without a copy. Keeping one such field keeps the whole array.
 *
 * <p><b>Memory of a response.</b> Header and message are written into one buffer; the sidecars
 * follow on the socket as they are, without a copy, and are released once they are sent or will
 * never be. A client that does not read is not read from, and its waiting calls are not started.
 *
 * <p>Frames are {@link dev.kudu4j.common.rpc.frame}, negotiation is {@link
 * dev.kudu4j.common.rpc.negotiation}. This package knows neither tablets nor tables.
 */
@NullMarked
package dev.kudu4j.common.rpc;

import org.jspecify.annotations.NullMarked;
