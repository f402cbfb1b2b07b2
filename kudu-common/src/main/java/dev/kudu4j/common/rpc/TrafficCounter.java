package dev.kudu4j.common.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;

/** Counts the bytes of one connection; it is the first handler of the pipeline. */
final class TrafficCounter extends ChannelDuplexHandler {
  private final RpcTraffic traffic;

  TrafficCounter(RpcTraffic traffic) {
    this.traffic = traffic;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    traffic.connected();
    context.fireChannelActive();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    traffic.disconnected();
    context.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    traffic.received(((ByteBuf) message).readableBytes());
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    traffic.sent(((ByteBuf) message).readableBytes());
    context.write(message, promise);
  }
}
