package dev.kudu4j.common.rpc.negotiation;

import dev.kudu4j.common.proto.rpc.NegotiatePB;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/** A state of the client's side: waiting for one certain answer of the server. */
interface ClientStep {
  /**
   * Takes the server's answer and sends what comes next.
   *
   * @return the step that waits for the next answer; null when negotiation is complete
   */
  @Nullable ClientStep accept(ChannelHandlerContext context, NegotiatePB reply);
}
