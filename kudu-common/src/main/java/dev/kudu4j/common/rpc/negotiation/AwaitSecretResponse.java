package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB.NegotiateStep;

/** The step after the challenge: the client has the server's proof and must send its own. */
final class AwaitSecretResponse implements ServerStep {
  private final SecretProof proof;

  AwaitSecretResponse(SecretProof proof) {
    this.proof = proof;
  }

  @Override
  public int callId() {
    return NegotiationFrames.NEGOTIATE_CALL_ID;
  }

  @Override
  public ServerStep accept(ByteString message, ServerExchange exchange) {
    NegotiatePB response = ServerExchange.expect(NegotiateStep.SASL_RESPONSE, message);
    if (!proof.isOfClient(response.getToken())) {
      throw NegotiationException.unauthorized(
          "the peer does not have this cluster's secret; see --cluster_secret_file");
    }
    exchange.provenServer();
    exchange.reply(NegotiationFrames.SASL_SUCCESS);
    return new AwaitConnectionContext();
  }
}
