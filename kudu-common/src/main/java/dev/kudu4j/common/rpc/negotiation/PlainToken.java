package dev.kudu4j.common.rpc.negotiation;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;

/**
 * The token of SASL PLAIN: authorization id, NUL, user, NUL, password. Only the user name is used.
 */
record PlainToken(String user) {
  static PlainToken parse(ByteString token) {
    if (!token.isValidUtf8()) {
      throw NegotiationException.unauthorized("PLAIN token is not UTF-8");
    }
    String[] parts = token.toStringUtf8().split("\0", -1);
    if (parts.length != 3 || parts[1].isEmpty()) {
      throw NegotiationException.unauthorized("PLAIN token contains no user");
    }
    if (!parts[0].isEmpty() && !parts[0].equals(parts[1])) {
      throw NegotiationException.unauthorized("user " + parts[1] + " may not act for another user");
    }
    return new PlainToken(parts[1]);
  }

  /** The token with an empty authorization id and an empty password, as all clients send it. */
  ByteString toBytes() {
    return ByteString.copyFrom("\0" + user + "\0", StandardCharsets.UTF_8);
  }
}
