package dev.kudu4j.common.rpc.negotiation;

import dev.kudu4j.common.proto.rpc.NegotiatePB;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/** A state of the client: waiting for one specific response of the server. */
interface ClientStep {
  /**
   * Processes the server's response and sends the next message.
   *
   * @return the step that waits for the next response; null if negotiation is complete
   */
  @Nullable ClientStep accept(ChannelHandlerContext context, NegotiatePB reply);
}
