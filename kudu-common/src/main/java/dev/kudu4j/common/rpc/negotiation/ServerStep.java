package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** A state of the server's side: waiting for one certain message of the client. */
interface ServerStep {
  /** Call id that the message must carry. */
  int callId();

  /**
   * Takes the message and answers it where an answer is due.
   *
   * @return the step that waits for the next message; null when negotiation is complete
   * @throws NegotiationException which is told to the client before the connection closes
   */
  @Nullable ServerStep accept(ByteString message, ServerExchange exchange);
}
