/**
 * Negotiation: how client and server authenticate before the first call.
 *
 * <pre>
 *   client                          server
 *   preamble, NEGOTIATE   ------->  {@link PreambleReader}, {@link AwaitNegotiate}
 *                         ←------  NEGOTIATE
 *   SASL_INITIATE         ------->  {@link AwaitSaslInitiate}
 *                         ←------  SASL_SUCCESS
 *   connection context    ------->  {@link AwaitConnectionContext}
 * </pre>
 *
 * <p>Each side is a state machine. A step is the state "waiting for one specific message"; it
 * responds and returns the next step. TLS, tokens and certificates would be further steps between
 * the first and the last. Currently there are only SASL PLAIN in clear text and the proof of the
 * cluster secret. The server does not announce TLS, because the Java and C++ clients of Apache Kudu
 * would then require it.
 *
 * <p>Start with {@link dev.kudu4j.common.rpc.negotiation.ServerNegotiation} and {@link
 * dev.kudu4j.common.rpc.negotiation.ClientNegotiation}. This package does not depend on calls; the
 * handler of calls takes over the channel with a {@link
 * dev.kudu4j.common.rpc.negotiation.Negotiated}.
 */
@NullMarked
package dev.kudu4j.common.rpc.negotiation;

import org.jspecify.annotations.NullMarked;
