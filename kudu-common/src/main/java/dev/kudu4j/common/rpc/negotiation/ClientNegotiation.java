package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.proto.rpc.ConnectionContextPB;
import dev.kudu4j.common.proto.rpc.ErrorStatusPB;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB.NegotiateStep;
import dev.kudu4j.common.proto.rpc.RpcFeatureFlag;
import dev.kudu4j.common.proto.rpc.UserInformationPB;
import dev.kudu4j.common.rpc.frame.FrameDecoder;
import dev.kudu4j.common.rpc.frame.ResponseFrame;
import dev.kudu4j.common.security.ClusterSecret;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of the negotiation of one connection, without TLS: SASL PLAIN with the user
 * name, or, for a server of a cluster with a secret, only the proof of that secret. The handler
 * follows a {@link FrameDecoder}. At the end it calls an {@link Outcome}, which creates the next
 * handler.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach the handler or the call
public final class ClientNegotiation extends ChannelInboundHandlerAdapter {
  /** Receives the result of the negotiation. */
  public interface Outcome {
    /** Creates the handler that replaces the negotiation handler. */
    ChannelInboundHandlerAdapter succeeded(ChannelHandlerContext context, Negotiated result);

    /** Called once with the reason for the failure; the connection is closed afterwards. */
    void failed(KuduException cause);
  }

  private final String user;
  private final Optional<ClusterSecret> secret;
  private final long timeoutMillis;
  private final Outcome outcome;

  private final Set<RpcFeatureFlag> serverFeatures = EnumSet.noneOf(RpcFeatureFlag.class);
  private @Nullable ClientStep step = this::acceptNegotiate;
  private @Nullable ScheduledFuture<?> timeout; // null until the channel is active

  public ClientNegotiation(
      String user, Optional<ClusterSecret> secret, long timeoutMillis, Outcome outcome) {
    this.user = user;
    this.secret = secret;
    this.timeoutMillis = timeoutMillis;
    this.outcome = outcome;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    timeout =
        context
            .executor()
            .schedule(() -> fail(context, timedOut()), timeoutMillis, TimeUnit.MILLISECONDS);
    context.write(Preamble.toBuffer());
    send(
        context,
        NegotiatePB.newBuilder()
            .addSupportedFeatures(RpcFeatureFlag.APPLICATION_FEATURE_FLAGS)
            .setStep(NegotiateStep.NEGOTIATE)
            .addAuthnTypes(NegotiationFrames.SASL)
            .build());
    context.fireChannelActive();
  }

  private KuduException timedOut() {
    return KuduException.timedOut(
        "The server did not finish negotiation within %d ms", timeoutMillis);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf frame = (ByteBuf) message;
    try {
      if (step != null) {
        step = step.accept(context, read(ResponseFrame.read(frame)));
        if (step == null) {
          complete(context);
        }
      }
    } catch (KuduException e) {
      fail(context, e);
    } finally {
      frame.release();
    }
  }

  private static NegotiatePB read(ResponseFrame frame) {
    if (frame.header().getCallId() != NegotiationFrames.NEGOTIATE_CALL_ID) {
      throw NegotiationException.invalidHeader(
          "Server sent a response to call " + frame.header().getCallId() + " during negotiation");
    }
    try {
      if (frame.header().getIsError()) {
        throw refusal(ErrorStatusPB.parseFrom(frame.message()));
      }
      return NegotiatePB.parseFrom(frame.message());
    } catch (InvalidProtocolBufferException e) {
      throw NegotiationException.invalidHeader("Server sent an unreadable negotiation message");
    }
  }

  /**
   * Converts an error that the server sent. Removes the name of the status from the start of the
   * text, because the exception adds the name again.
   */
  private static NegotiationException refusal(ErrorStatusPB error) {
    StatusCode code =
        Arrays.stream(StatusCode.values())
            .filter(candidate -> error.getMessage().startsWith(candidate.prefix() + ": "))
            .findFirst()
            .orElse(null);
    return code == null
        ? new NegotiationException(error.getCode(), StatusCode.NOT_AUTHORIZED, error.getMessage())
        : new NegotiationException(
            error.getCode(), code, error.getMessage().substring(code.prefix().length() + 2));
  }

  private ClientStep acceptNegotiate(ChannelHandlerContext context, NegotiatePB reply) {
    expect(NegotiateStep.NEGOTIATE, reply);
    serverFeatures.addAll(reply.getSupportedFeaturesList());
    if (secret.isPresent()) {
      checkOffer(reply, SecretProof.MECHANISM);
      byte[] nonce = SecretProof.newNonce();
      ByteString token = ByteString.copyFrom(nonce).concat(ByteString.copyFromUtf8(user));
      initiate(context, NegotiationFrames.SECRET_MECHANISM, token);
      return (next, challenge) -> acceptChallenge(next, challenge, secret.get(), nonce);
    }
    checkOffer(reply, NegotiationFrames.PLAIN);
    initiate(context, NegotiationFrames.PLAIN_MECHANISM, new PlainToken(user).toBytes());
    return this::acceptSaslSuccess;
  }

  private static void initiate(
      ChannelHandlerContext context, NegotiatePB.SaslMechanism mechanism, ByteString token) {
    send(
        context,
        NegotiatePB.newBuilder()
            .setStep(NegotiateStep.SASL_INITIATE)
            .setToken(token)
            .addSaslMechanisms(mechanism)
            .build());
  }

  private ClientStep acceptChallenge(
      ChannelHandlerContext context, NegotiatePB reply, ClusterSecret shared, byte[] clientNonce) {
    expect(NegotiateStep.SASL_CHALLENGE, reply);
    ByteString token = reply.getToken();
    int nonceBytes = Math.min(SecretProof.NONCE_BYTES, token.size());
    byte[] serverNonce = token.substring(0, nonceBytes).toByteArray();
    SecretProof proof = new SecretProof(shared, clientNonce, serverNonce, user);
    if (!proof.isOfServer(token.substring(nonceBytes))) {
      throw NegotiationException.unauthorized(
          "The server does not have this cluster's secret; see --cluster_secret_file");
    }
    send(
        context,
        NegotiatePB.newBuilder()
            .setStep(NegotiateStep.SASL_RESPONSE)
            .setToken(proof.ofClient())
            .build());
    return this::acceptSaslSuccess;
  }

  private static void checkOffer(NegotiatePB reply, String mechanism) {
    boolean sasl =
        reply.getAuthnTypesCount() == 0
            || (reply.getAuthnTypesCount() == 1 && reply.getAuthnTypes(0).hasSasl());
    boolean offered =
        reply.getSaslMechanismsList().stream().anyMatch(m -> m.getMechanism().equals(mechanism));
    if (!sasl || !offered) {
      throw NegotiationException.unauthorized(
          mechanism.equals(NegotiationFrames.PLAIN)
              ? "Server does not offer SASL PLAIN, the only mechanism of this client"
              : "Server has no cluster secret; start all servers with the same"
                  + " --cluster_secret_file");
    }
  }

  private @Nullable ClientStep acceptSaslSuccess(ChannelHandlerContext context, NegotiatePB reply) {
    expect(NegotiateStep.SASL_SUCCESS, reply);
    ConnectionContextPB connectionContext =
        ConnectionContextPB.newBuilder()
            .setDEPRECATEDUserInfo(UserInformationPB.newBuilder().setRealUser(user))
            .build();
    context.writeAndFlush(
        NegotiationFrames.request(context, NegotiationFrames.CONTEXT_CALL_ID, connectionContext),
        context.voidPromise());
    return null;
  }

  private static void expect(NegotiateStep expected, NegotiatePB reply) {
    if (reply.getStep() != expected) {
      throw NegotiationException.unauthorized("expected " + expected + " step: " + reply.getStep());
    }
  }

  private static void send(ChannelHandlerContext context, NegotiatePB message) {
    context.writeAndFlush(
        NegotiationFrames.request(context, NegotiationFrames.NEGOTIATE_CALL_ID, message),
        context.voidPromise());
  }

  private void complete(ChannelHandlerContext context) {
    stopTimer();
    Negotiated result = new Negotiated(user, secret.isPresent(), serverFeatures);
    context.pipeline().replace(this, null, outcome.succeeded(context, result));
  }

  private void stopTimer() {
    if (timeout != null) {
      timeout.cancel(false);
    }
  }

  private void fail(ChannelHandlerContext context, KuduException cause) {
    stopTimer();
    step = null;
    outcome.failed(cause);
    context.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(
        context,
        new KuduException(
            StatusCode.NETWORK_ERROR, "Server closed the connection during negotiation"));
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail(
        context,
        cause instanceof KuduException known
            ? known
            : new KuduException(
                StatusCode.NETWORK_ERROR, String.valueOf(cause.getMessage()), cause));
  }
}
