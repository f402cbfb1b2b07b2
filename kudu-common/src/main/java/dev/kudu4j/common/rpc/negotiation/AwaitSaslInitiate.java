package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB.NegotiateStep;

/** SASL PLAIN: one message brings the user's name, and any password will do. */
final class AwaitSaslInitiate implements ServerStep {
  private static final NegotiatePB SUCCESS =
      NegotiatePB.newBuilder().setStep(NegotiateStep.SASL_SUCCESS).build();

  @Override
  public int callId() {
    return NegotiationFrames.NEGOTIATE_CALL_ID;
  }

  @Override
  public ServerStep accept(ByteString message, ServerExchange exchange) {
    NegotiatePB request = ServerExchange.expect(NegotiateStep.SASL_INITIATE, message);
    checkMechanism(request);
    exchange.user(PlainToken.parse(request.getToken()).user());
    exchange.reply(SUCCESS);
    return new AwaitConnectionContext();
  }

  private static void checkMechanism(NegotiatePB request) {
    if (request.getSaslMechanismsCount() != 1) {
      throw NegotiationException.unauthorized(
          "SASL_INITIATE must name exactly one mechanism, not " + request.getSaslMechanismsCount());
    }
    String mechanism = request.getSaslMechanisms(0).getMechanism();
    if (!mechanism.equals(NegotiationFrames.PLAIN)) {
      throw NegotiationException.unauthorized(
          "SASL mechanism " + mechanism + " is not offered; this server offers PLAIN");
    }
  }
}
