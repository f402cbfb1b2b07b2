package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB.NegotiateStep;
import dev.kudu4j.common.security.ClusterSecret;
import java.util.Optional;

/**
 * The client selects a SASL mechanism. PLAIN: one message contains the user name; the password is
 * ignored. {@link SecretProof}: the peer proves that it is a server of the cluster.
 *
 * <p>A client outside the trusted networks is rejected in this step and not in the previous one,
 * because a client reads the error only after it has sent its second message.
 */
final class AwaitSaslInitiate implements ServerStep {
  @Override
  public int callId() {
    return NegotiationFrames.NEGOTIATE_CALL_ID;
  }

  @Override
  public ServerStep accept(ByteString message, ServerExchange exchange) {
    NegotiatePB request = ServerExchange.expect(NegotiateStep.SASL_INITIATE, message);
    exchange.checkTrusted();
    String mechanism = mechanism(request);
    Optional<ClusterSecret> secret = exchange.rules().secret();
    if (mechanism.equals(NegotiationFrames.PLAIN)) {
      exchange.user(PlainToken.parse(request.getToken()).user());
      exchange.reply(NegotiationFrames.SASL_SUCCESS);
      return new AwaitConnectionContext();
    }
    if (mechanism.equals(SecretProof.MECHANISM) && secret.isPresent()) {
      return challenge(secret.get(), request.getToken(), exchange);
    }
    throw NegotiationException.unauthorized(
        "SASL mechanism " + mechanism + " is not offered by this server");
  }

  private static ServerStep challenge(
      ClusterSecret secret, ByteString token, ServerExchange exchange) {
    if (token.size() <= SecretProof.NONCE_BYTES) {
      throw NegotiationException.unauthorized("SASL token does not contain nonce and user");
    }
    ByteString user = token.substring(SecretProof.NONCE_BYTES);
    if (!user.isValidUtf8()) {
      throw NegotiationException.unauthorized("the user name is not UTF-8");
    }
    exchange.user(user.toStringUtf8());
    byte[] clientNonce = token.substring(0, SecretProof.NONCE_BYTES).toByteArray();
    byte[] serverNonce = SecretProof.newNonce();
    SecretProof proof = new SecretProof(secret, clientNonce, serverNonce, user.toStringUtf8());
    exchange.reply(
        NegotiatePB.newBuilder()
            .setStep(NegotiateStep.SASL_CHALLENGE)
            .setToken(ByteString.copyFrom(serverNonce).concat(proof.ofServer()))
            .build());
    return new AwaitSecretResponse(proof);
  }

  private static String mechanism(NegotiatePB request) {
    if (request.getSaslMechanismsCount() != 1) {
      throw NegotiationException.unauthorized(
          "SASL_INITIATE must name exactly one mechanism, not " + request.getSaslMechanismsCount());
    }
    return request.getSaslMechanisms(0).getMechanism();
  }
}
