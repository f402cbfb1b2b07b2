package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB.NegotiateStep;
import dev.kudu4j.common.proto.rpc.RpcFeatureFlag;
import io.netty.channel.ChannelHandlerContext;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What the server's steps share: the line to the client, and what is known about it so far. */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach the handler or the call
final class ServerExchange {
  private final ChannelHandlerContext context;
  private final Set<RpcFeatureFlag> clientFeatures = EnumSet.noneOf(RpcFeatureFlag.class);
  private String user;

  ServerExchange(ChannelHandlerContext context) {
    this.context = context;
  }

  void reply(NegotiatePB message) {
    context.writeAndFlush(
        NegotiationFrames.response(context, message), context.channel().voidPromise());
  }

  void clientFeatures(List<RpcFeatureFlag> features) {
    clientFeatures.addAll(features);
  }

  void user(String name) {
    this.user = name;
  }

  Negotiated result() {
    return new Negotiated(user, clientFeatures);
  }

  /** Parses a message that must be of step {@code expected}. */
  static NegotiatePB expect(NegotiateStep expected, ByteString bytes) {
    NegotiatePB message;
    try {
      message = NegotiatePB.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw NegotiationException.unauthorized(
          "expected " + expected + " step, but the message is unreadable");
    }
    if (message.getStep() != expected) {
      throw NegotiationException.unauthorized(
          "expected " + expected + " step: " + message.getStep());
    }
    return message;
  }
}
