/**
 * Negotiation: how two ends agree who they are before the first call.
 *
 * <pre>
 *   client                          server
 *   preamble, NEGOTIATE   ------->  {@link PreambleReader}, {@link AwaitNegotiate}
 *                         <-------  NEGOTIATE
 *   SASL_INITIATE         ------->  {@link AwaitSaslInitiate}
 *                         <-------  SASL_SUCCESS
 *   connection context    ------->  {@link AwaitConnectionContext}
 * </pre>
 *
 * <p>Each end is a machine of steps. A step is the state "waiting for this one message"; it answers
 * and names the step that comes next. TLS, tokens and certificates are further steps between the
 * first and the last. Today there is SASL PLAIN in clear text, so the server announces no TLS: both
 * published clients would take that as a promise.
 *
 * <p>Start with {@link dev.kudu4j.common.rpc.negotiation.ServerNegotiation} and {@link
 * dev.kudu4j.common.rpc.negotiation.ClientNegotiation}. This package knows no calls; the one that
 * does takes over the channel when a {@link dev.kudu4j.common.rpc.negotiation.Negotiated} is there.
 */
@NullMarked
package dev.kudu4j.common.rpc.negotiation;

import org.jspecify.annotations.NullMarked;
