package dev.kudu4j.server.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.kudu4j.common.security.ClusterSecret;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The handshake in which two servers prove to each other that they hold the same cluster secret,
 * before any request is sent on a connection.
 *
 * <pre>
 *   caller                                     called
 *     HELLO: both uuids, purpose, nonce  --->
 *                                        ←--  HELLO: nonce, proof as the called end
 *     PROOF: proof as the caller         --->
 *                                        ←--  PROOF
 * </pre>
 *
 * <p>A proof is bound to its role, both nonces, both uuids and the purpose. It can therefore
 * neither be replayed on another connection nor reflected to its sender.
 *
 * <p>The handshake authenticates the other end when the connection begins. It does not protect the
 * bytes that follow from an attacker on the network path.
 */
final class Handshake {
  private static final String DOMAIN = "kudu4j raft connection 1";
  private static final String ANSWER = "K4RAFT02";
  private static final int NONCE_BYTES = 32;
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
  private static final SecureRandom RANDOM = new SecureRandom();

  /** The end of the connection that makes a proof. */
  enum Role {
    CALLER,
    CALLED
  }

  private Handshake() {}

  /** Fresh random bytes, in hex. */
  static String nonce() {
    byte[] bytes = new byte[NONCE_BYTES];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  static boolean isNonce(String text) {
    return HEX.matcher(text).matches();
  }

  /** The proof of one end, in hex. */
  static String prove(ClusterSecret secret, Role role, Hello hello, String calledNonce) {
    return HexFormat.of().formatHex(secret.prove(DOMAIN, parts(role, hello, calledNonce)));
  }

  static boolean verify(
      ClusterSecret secret, Role role, Hello hello, String calledNonce, String proof) {
    return HEX.matcher(proof).matches()
        && secret.verify(HexFormat.of().parseHex(proof), DOMAIN, parts(role, hello, calledNonce));
  }

  private static byte[][] parts(Role role, Hello hello, String calledNonce) {
    return new byte[][] {
      role.name().getBytes(US_ASCII),
      hello.nonce().getBytes(US_ASCII),
      calledNonce.getBytes(US_ASCII),
      hello.from().getBytes(US_ASCII),
      hello.to().getBytes(US_ASCII),
      hello.purpose().name().getBytes(US_ASCII)
    };
  }

  /** The called server's response to a HELLO with a nonce. */
  record Answer(String nonce, String proof) {
    static Answer to(Hello hello, ClusterSecret secret) {
      String nonce = Handshake.nonce();
      return new Answer(nonce, prove(secret, Role.CALLED, hello, nonce));
    }

    String text() {
      return String.join(" ", ANSWER, nonce, proof);
    }

    /** Parses a response; returns null if the text is not a response. */
    static @Nullable Answer parse(String text) {
      String[] words = text.split(" ", 4);
      return words.length == 3 && words[0].equals(ANSWER) && isNonce(words[1])
          ? new Answer(words[1], words[2])
          : null;
    }
  }
}
