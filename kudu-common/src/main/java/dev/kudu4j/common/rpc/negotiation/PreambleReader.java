package dev.kudu4j.common.rpc.negotiation;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Reads the preamble and removes itself from the pipeline. At the first wrong byte the connection
 * is closed without a response, since the peer does not speak this protocol.
 */
public final class PreambleReader extends ChannelInboundHandlerAdapter {
  private int count;
  private boolean refused;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf input = (ByteBuf) message;
    while (!refused && count < Preamble.length() && input.isReadable()) {
      refused = !Preamble.accepts(count++, input.readByte());
    }
    if (refused) {
      input.release();
      context.fireExceptionCaught(NegotiationException.invalidHeader("no RPC preamble"));
    } else if (count == Preamble.length()) {
      forwardRest(context, input);
    } else {
      input.release();
    }
  }

  private void forwardRest(ChannelHandlerContext context, ByteBuf input) {
    if (input.isReadable()) {
      context.fireChannelRead(input);
    } else {
      input.release();
    }
    context.pipeline().remove(this);
  }
}
