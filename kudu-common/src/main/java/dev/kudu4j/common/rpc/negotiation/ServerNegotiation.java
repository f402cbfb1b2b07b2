package dev.kudu4j.common.rpc.negotiation;

import dev.kudu4j.common.rpc.frame.FrameDecoder;
import dev.kudu4j.common.rpc.frame.RequestFrame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of the negotiation of one connection. The handler follows a {@link
 * FrameDecoder}. After the last step, the handler of calls replaces this handler before the next
 * frame is read, because that frame may be a call in the same packet.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach the handler or the call
public final class ServerNegotiation extends ChannelInboundHandlerAdapter {
  private final long timeoutMillis;
  private final int delayMillis;
  private final NegotiationRules rules;
  private final Function<Negotiated, ChannelInboundHandlerAdapter> successor;
  private final BiConsumer<ChannelHandlerContext, String> onFailure;

  private @Nullable ServerStep step = new AwaitNegotiate();
  private ServerExchange exchange;
  private ScheduledFuture<?> timeout;

  /**
   * @param delayMillis delay before anything is read
   * @param successor creates the handler that replaces this one
   * @param onFailure receives the reason why the connection is closed
   */
  public ServerNegotiation(
      long timeoutMillis,
      int delayMillis,
      NegotiationRules rules,
      Function<Negotiated, ChannelInboundHandlerAdapter> successor,
      BiConsumer<ChannelHandlerContext, String> onFailure) {
    this.timeoutMillis = timeoutMillis;
    this.delayMillis = delayMillis;
    this.rules = rules;
    this.successor = successor;
    this.onFailure = onFailure;
  }

  /** The decoder for the pipeline before this handler. */
  public static FrameDecoder frameDecoder() {
    return FrameDecoder.forServer(NegotiationFrames.MAX_FRAME_BYTES);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    exchange = new ServerExchange(context, rules);
    timeout =
        context
            .executor()
            .schedule(
                () -> fail(context, "negotiation did not complete within " + timeoutMillis + " ms"),
                timeoutMillis,
                TimeUnit.MILLISECONDS);
    if (delayMillis > 0) {
      ChannelConfig config = context.channel().config();
      config.setAutoRead(false);
      context
          .executor()
          .schedule(() -> config.setAutoRead(true), delayMillis, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    timeout.cancel(false);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf frame = (ByteBuf) message;
    try {
      ServerStep current = step;
      if (current != null) {
        accept(context, current, RequestFrame.read(frame));
      }
    } catch (NegotiationException e) {
      refuse(context, e);
    } finally {
      frame.release();
    }
  }

  private void accept(ChannelHandlerContext context, ServerStep current, RequestFrame frame) {
    int callId = frame.header().getCallId();
    if (callId != current.callId()) {
      throw NegotiationException.invalidHeader(
          "expected call id " + current.callId() + " during negotiation: " + callId);
    }
    step = current.accept(frame.message(), exchange);
    if (step == null) {
      context.pipeline().replace(this, null, successor.apply(exchange.result()));
    }
  }

  private void refuse(ChannelHandlerContext context, NegotiationException error) {
    step = null;
    onFailure.accept(context, error.describe());
    context
        .writeAndFlush(NegotiationFrames.error(context, error))
        .addListener(ChannelFutureListener.CLOSE);
  }

  private void fail(ChannelHandlerContext context, String reason) {
    if (step != null) {
      step = null;
      onFailure.accept(context, reason);
    }
    context.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    timeout.cancel(false);
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail(context, String.valueOf(cause.getMessage()));
  }
}
