package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.security.ClusterSecret;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * The SASL mechanism with which two servers of a cluster prove to each other that they have the
 * cluster secret, without sending it.
 *
 * <pre>
 *   client                                    server
 *   SASL_INITIATE   nonce C, user    ------->
 *                                    ←------  SASL_CHALLENGE  nonce S,
 *                                             proof of "server" over (C, S, user)
 *   SASL_RESPONSE   proof of "client" over (C, S, user)  ------->
 *                                    ←------  SASL_SUCCESS
 * </pre>
 *
 * <p>Nonces are 32 random bytes. Client and server prove different strings, so a proof cannot be
 * sent back to its author as the other side's proof. The connection is not encrypted: the proofs
 * authenticate both servers at its start, but do not protect later data from being read or changed.
 */
final class SecretProof {
  /** The name of this SASL mechanism. Clients of Apache Kudu do not support it and select PLAIN. */
  static final String MECHANISM = "KUDU4J-SECRET";

  static final int NONCE_BYTES = 32;
  private static final String SERVER = "kudu4j rpc server";
  private static final String CLIENT = "kudu4j rpc client";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ClusterSecret secret;
  private final byte[] clientNonce;
  private final byte[] serverNonce;
  private final byte[] user;

  SecretProof(ClusterSecret secret, byte[] clientNonce, byte[] serverNonce, String user) {
    this.secret = secret;
    this.clientNonce = clientNonce;
    this.serverNonce = serverNonce;
    this.user = user.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] newNonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  ByteString ofServer() {
    return ByteString.copyFrom(secret.prove(SERVER, clientNonce, serverNonce, user));
  }

  ByteString ofClient() {
    return ByteString.copyFrom(secret.prove(CLIENT, clientNonce, serverNonce, user));
  }

  boolean isOfServer(ByteString proof) {
    return secret.verify(proof.toByteArray(), SERVER, clientNonce, serverNonce, user);
  }

  boolean isOfClient(ByteString proof) {
    return secret.verify(proof.toByteArray(), CLIENT, clientNonce, serverNonce, user);
  }
}
