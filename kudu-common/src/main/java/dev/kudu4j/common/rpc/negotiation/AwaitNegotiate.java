package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB.NegotiateStep;
import dev.kudu4j.common.proto.rpc.RpcFeatureFlag;

/**
 * The first step: the client sends its capabilities and the server chooses. The server always
 * chooses SASL in clear text, since token, certificate and JWT authentication need TLS.
 */
final class AwaitNegotiate implements ServerStep {
  private static final NegotiatePB PLAIN_ONLY =
      NegotiatePB.newBuilder()
          .addSupportedFeatures(RpcFeatureFlag.APPLICATION_FEATURE_FLAGS)
          .setStep(NegotiateStep.NEGOTIATE)
          .addSaslMechanisms(NegotiationFrames.PLAIN_MECHANISM)
          .addAuthnTypes(NegotiationFrames.SASL)
          .build();

  private static final NegotiatePB PLAIN_OR_SECRET =
      PLAIN_ONLY.toBuilder().addSaslMechanisms(NegotiationFrames.SECRET_MECHANISM).build();

  @Override
  public int callId() {
    return NegotiationFrames.NEGOTIATE_CALL_ID;
  }

  @Override
  public ServerStep accept(ByteString message, ServerExchange exchange) {
    NegotiatePB request = ServerExchange.expect(NegotiateStep.NEGOTIATE, message);
    exchange.clientFeatures(request.getSupportedFeaturesList());
    exchange.reply(exchange.rules().secret().isPresent() ? PLAIN_OR_SECRET : PLAIN_ONLY);
    return new AwaitSaslInitiate();
  }
}
