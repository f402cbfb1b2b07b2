package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB.NegotiateStep;
import dev.kudu4j.common.proto.rpc.RpcFeatureFlag;
import io.netty.channel.ChannelHandlerContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** State that the server's steps share: the channel to the client, and the results so far. */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach the handler or the call
final class ServerExchange {
  private final ChannelHandlerContext context;
  private final Set<RpcFeatureFlag> clientFeatures = EnumSet.noneOf(RpcFeatureFlag.class);
  private final NegotiationRules rules;
  private @Nullable String user; // null until the client is authenticated
  private boolean provenServer;

  ServerExchange(ChannelHandlerContext context, NegotiationRules rules) {
    this.context = context;
    this.rules = rules;
  }

  NegotiationRules rules() {
    return rules;
  }

  /**
   * Rejects a client whose unencrypted connection does not come from a trusted subnet. A client of
   * a Unix-domain socket counts as one at the loopback address.
   */
  void checkTrusted() {
    InetSocketAddress remote =
        context.channel().remoteAddress() instanceof InetSocketAddress tcp
            ? tcp
            : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    if (!rules.trusted().test(remote.getAddress())) {
      throw NegotiationException.unauthorized(
          "unencrypted connections from publicly routable IPs are prohibited. See --trusted_subnets"
              + " flag for more information.: "
              + remote.getAddress().getHostAddress()
              + ":"
              + remote.getPort());
    }
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

  /** Records that the client has proved that it has the cluster secret. */
  void provenServer() {
    provenServer = true;
  }

  Negotiated result() {
    // The last step follows a step that authenticated the user.
    return new Negotiated(
        Objects.requireNonNull(user, "no user is authenticated"), provenServer, clientFeatures);
  }

  /** Parses a message that must belong to the step {@code expected}. */
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
