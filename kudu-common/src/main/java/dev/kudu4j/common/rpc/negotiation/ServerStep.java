package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** A state of the server: waiting for one specific message of the client. */
interface ServerStep {
  /** The call id that the message must have. */
  int callId();

  /**
   * Processes the message and responds if necessary.
   *
   * @return the step that waits for the next message; null if negotiation is complete
   * @throws NegotiationException if the message is invalid; the error is sent to the client before
   *     the connection is closed
   */
  @Nullable ServerStep accept(ByteString message, ServerExchange exchange);
}
